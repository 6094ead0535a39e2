import type { Readable } from 'node:stream'
import { formatSize, MiB, reason } from '@stowage/contract'
import { auditCalls } from '@stowage/contract/logs/audit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AuditRecord, parseAuditRecords } from '../../lib/audit/records/audit-record.ts'
import { createSourceToken, readSourceToken } from '../../lib/audit/records/source-token.ts'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { serve } from '../../lib/http/serve.ts'

/** Maximum size of a request body in bytes; a batch of a thousand records has about 2 MiB. */
const MAX_POST = 16 * MiB

/** @param secrets keys of the tokens of storage servers; the first one signs new tokens */
export function auditReceiverRoutes(app: FastifyInstance, secrets: readonly [string, ...string[]]): void {
  const { audit } = app
  app.addHook('onClose', async () => await audit.close())

  serve(
    app,
    auditCalls.ingestAudit,
    async ({ query }, { request, log }) => {
      const source = readSourceToken(secrets, query.token ?? sentToken(request))
      if (source === undefined) throw new HttpError(403, reason('audit-token'))
      const records = parseRecords(await readPostedText(request.raw), source)
      try {
        await audit.append(records)
      } catch (error) {
        // Servers repeat requests answered with a 5xx status.
        log.warn({ err: error }, 'audit records could not be stored')
        throw new HttpError(503, reason('unexpected'))
      }
    },
    MAX_POST,
  )

  serve(app, auditCalls.getAuditReceiver, async ({ query: { source } }, context) => {
    await requireRight(app, context, auditCalls.getAuditReceiver.endpoint.actions)
    const latest = await audit.latestArrival(source)
    return {
      path: `${auditCalls.ingestAudit.endpoint.path}?token=${createSourceToken(secrets, source)}`,
      token: createSourceToken(secrets, source),
      ...(latest ? { last_record: new Date(latest.at).toISOString(), lag: latest.lag } : {}),
    }
  })
}

/** Checks a right in the console, because no call to the storage server would check it. @throws HttpError 403 */
export async function requireRight(
  app: FastifyInstance,
  clients: Parameters<FastifyInstance['lostRight']>[0],
  actions: readonly string[],
): Promise<void> {
  if ((await app.lostRight(clients, actions)) !== undefined) throw new HttpError(403, reason('access-denied'))
}

/** MinIO sends the token as configured, without a scheme. */
function sentToken({ headers: { authorization = '' } }: FastifyRequest): string {
  return authorization.replace(/^Bearer\s+/i, '')
}

async function readPostedText(body: Readable): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  // The sender must still be able to read an error, so do not destroy the request.
  for await (const piece of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > MAX_POST) {
      const [size, limit] = [formatSize(length), formatSize(MAX_POST)]
      throw new HttpError(413, reason('body-too-large', { size, limit }))
    }
    pieces.push(piece)
  }
  return Buffer.concat(pieces, length).toString('utf8')
}

/** @throws HttpError 400 */
function parseRecords(text: string, source: string): AuditRecord[] {
  try {
    return parseAuditRecords(text, source)
  } catch {
    throw new HttpError(400, reason('audit-body'))
  }
}
