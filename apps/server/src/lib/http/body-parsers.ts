import type { FastifyInstance } from 'fastify'

/** Reads bodies of JSON and of forms. An empty body is no body, whatever type it claims. */
export function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const json = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else void json(request, body.toString(), done)
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(body.toString())))
  })
}
