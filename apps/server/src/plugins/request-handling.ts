import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorAnswer } from '../lib/errors/http-errors.ts'
import { notFoundError } from '../lib/http/not-found.ts'
import { redactForLog } from '../lib/program/program-log.ts'

/** Logs one line per request and gives every failure the same form. */
export function addRequestHandling(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { method, url, ip } = request
    reply.header('x-request-id', request.id)
    // Fastify's own hook does not run if the caller disconnects before the answer is complete.
    reply.raw.once('close', () => {
      const { statusCode: status, raw } = reply
      const ms = Math.round(reply.elapsedTime)
      const left = status !== 101 && !raw.writableFinished
      const text = `${method} ${redactForLog(url)} ${left ? 'left' : status} ${ms} ms`
      request.log[requestLogLevel(request, reply)]({ status, ms, ip, ...(left ? { left } : {}) }, text)
    })
  })

  app.setErrorHandler((error, request, reply) => {
    // The call failed because the caller disconnected: nobody reads an answer.
    if (reply.raw.destroyed || (request.raw.destroyed && !request.raw.complete)) return
    // The call failed after part of the answer was sent. Close the connection, so that the answer does not look complete.
    if (reply.raw.headersSent) return
    const { status, headers, body, unexpected } = errorAnswer(error, request.id, app.mode)
    if (unexpected) request.log.error({ err: error }, 'a call failed unexpectedly')
    else if (status >= 500) request.log.warn({ err: error }, 'a call failed')
    reply.code(status).headers(headers).type('application/json; charset=utf-8')
    return reply.send(body)
  })

  app.setNotFoundHandler((request) => {
    throw notFoundError(request.method, request.url, app.mode)
  })
}

/** Returns the log level of a request: info for calls; debug for static files and health checks, unless they fail. */
function requestLogLevel({ routeOptions: { config } }: FastifyRequest, { statusCode }: FastifyReply): 'info' | 'debug' {
  if (config.endpoint) return 'info'
  return statusCode < 400 || config.probe ? 'debug' : 'info'
}
