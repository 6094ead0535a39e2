import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorAnswer } from '../lib/http/errors.ts'
import { notFound } from '../lib/http/not-found.ts'
import { forLog } from '../lib/program/log.ts'

/** How requests end: one line in the log each, and one form for every failure. */
export function addRequestHandling(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { method, url, ip } = request
    reply.header('x-request-id', request.id)
    // Fastify's own hook for this is silent about callers that leave before they have their answer.
    reply.raw.once('close', () => {
      const { statusCode: status, raw } = reply
      const ms = Math.round(reply.elapsedTime)
      const left = !raw.writableFinished
      const text = `${method} ${forLog(url)} ${left ? 'left' : status} ${ms} ms`
      request.log[levelOf(request, reply)]({ status, ms, ip, ...(left ? { left } : {}) }, text)
    })
  })

  app.setErrorHandler((error, request, reply) => {
    // The caller has left: nobody reads an answer, and what failed is that it left.
    if (reply.raw.destroyed || (request.raw.destroyed && !request.raw.complete)) return
    // It broke in the middle of the answer, which is torn off then so that it does not look whole.
    if (reply.raw.headersSent) return
    const { status, headers, body, unexpected } = errorAnswer(error, request.id)
    if (unexpected) request.log.error({ err: error }, 'a call failed unexpectedly')
    else if (status >= 500) request.log.warn({ err: error }, 'a call failed')
    reply.code(status).headers(headers).type('application/json; charset=utf-8')
    return reply.send(body)
  })

  app.setNotFoundHandler((request) => {
    throw notFound(request.method, request.url)
  })
}

/** A call gets a line that everybody sees; the parts of a page and the probes of a watcher do not. */
function levelOf({ routeOptions: { config } }: FastifyRequest, { statusCode }: FastifyReply): 'info' | 'debug' {
  if (config.endpoint) return 'info'
  return statusCode < 400 || config.probe ? 'debug' : 'info'
}
