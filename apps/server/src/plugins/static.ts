import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { reason } from '@stowage/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { baseHref, locationOf } from '../lib/http/base-path.ts'
import { HttpError } from '../lib/http/errors.ts'
import { notFound } from '../lib/http/not-found.ts'

/**
 * The web app: its parts by their names, and `index.html` for every other path, so that a page can be loaded anew or
 * linked. @param folder where the build put it
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
      // Names of parts hold a hash of their content.
      const lasting = /[\\/]assets[\\/]/.test(path)
      reply.header('cache-control', lasting ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })

  const page = (request: FastifyRequest<{ Params: { '*'?: string } }>, reply: FastifyReply) => {
    const { redirect, url } = locationOf(request.raw)
    if (redirect) return reply.redirect(redirect)
    // Routes are found by what an address means, however it is written.
    const path = `/${request.params['*'] ?? ''}`.replace(/\/{2,}/g, '/')
    if (/^\/(api|ws)(\/|$)/.test(path) || path.startsWith('/assets/')) throw notFound(request.method, path)
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

/** Puts the base in front of everything that is loaded relative to it. */
function withBase(html: string, href: string): string {
  return html.replace(/<base\b[^>]*>/i, '').replace(/<head[^>]*>/i, (head) => `${head}<base href="${href}">`)
}
