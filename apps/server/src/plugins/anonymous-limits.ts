import { type ServerResponse, STATUS_CODES } from 'node:http'
import { reason } from '@stowage/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errorAnswer, HttpError } from '../lib/errors/http-errors.ts'
import { addressGroup } from '../lib/http/limits/address-group.ts'
import { OpenBodies } from '../lib/http/limits/open-bodies.ts'

export interface AnonymousLimits {
  /** Timeout for the arrival of a body (ms); bodies of anonymous calls have a few KB. */
  bodyMs: number
  /** Maximum number of bodies in transfer, in total and per address. */
  atOnce: number
  each: number
}

const LIMITS: AnonymousLimits = { bodyMs: 15_000, atOnce: 512, each: 32 }

/** Limits the request bodies of callers without a session: their number, per address first, and their duration. */
export function limitAnonymousBodies(app: FastifyInstance, limits = LIMITS): void {
  const bodies = new OpenBodies(limits)

  app.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request) || isKnown(app, request)) return
    const cut = (refusal: HttpError) => end(request, reply.raw, refusal)
    const tooMany = () => cut(new HttpError(503, reason('too-many-requests')))
    const leave = bodies.enter(addressGroup(request.ip), tooMany)
    const timer = setTimeout(() => cut(new HttpError(408, reason('body-too-slow'))), limits.bodyMs)
    const arrived = () => {
      clearTimeout(timer)
      leave()
    }
    request.raw.once('end', arrived).once('close', arrived)
  })
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Whether a call needs a session and has one, even an expired one: a long upload whose session has expired gets its answer. */
function isKnown(app: FastifyInstance, request: FastifyRequest): boolean {
  return request.routeOptions.config.endpoint?.access === 'session' && app.knowsCaller(request)
}

/** Sends the error if no answer was started, and closes the connection without reading the rest of the body. */
function end({ raw, id }: FastifyRequest, response: ServerResponse, refusal: HttpError): void {
  const { socket } = raw
  if (socket.destroyed || raw.complete) return
  if (!response.headersSent && response.socket === socket) {
    const { status, body } = errorAnswer(refusal, id)
    const text = JSON.stringify(body)
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Connection: close',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${text}`)
  }
  socket.destroySoon()
}
