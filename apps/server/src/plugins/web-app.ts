import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { reason } from '@stowage/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError } from '../lib/errors/http-errors.ts'
import { baseHref, requestLocation } from '../lib/http/base-path.ts'
import { notFoundError } from '../lib/http/not-found.ts'

/**
 * Serves the web app: static files, and `index.html` for every other path, so that pages can be reloaded and linked.
 * @param folder of the built web app
 */
export async function addWebApp(app: FastifyInstance, folder: string): Promise<void> {
  const index = await readIndex(folder)
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    serveDotFiles: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      // The names of these files contain a hash of their content.
      const lasting = /[\\/]assets[\\/]/.test(path)
      reply.header('cache-control', lasting ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })

  const page = (request: FastifyRequest<{ Params: { '*'?: string } }>, reply: FastifyReply) => {
    const { redirect, url } = requestLocation(request.raw)
    if (redirect) return reply.redirect(redirect)
    // Duplicate slashes are ignored, as for calls.
    const path = `/${request.params['*'] ?? ''}`.replace(/\/{2,}/g, '/')
    if (/^\/(api|ws)(\/|$)/.test(path) || path.startsWith('/assets/'))
      throw notFoundError(request.method, path, app.mode)
    if (!index) throw new HttpError(404, reason('web-app-not-built'))
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache')
    return reply.send(withBase(index, baseHref(url)))
  }
  app.get('/', page)
  app.get('/*', page)
}

async function readIndex(folder: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, 'index.html'), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Sets the `<base>` of a page. */
function withBase(html: string, href: string): string {
  return html.replace(/<base\b[^>]*>/i, '').replace(/<head[^>]*>/i, (head) => `${head}<base href="${href}">`)
}
