import { MessageRefusedError } from '../delivery/queue-sender.ts'
import type { KeptConnection } from './kept-connection.ts'
import { type OpenTarget, type ParsedEventMessage, parseEventMessage } from './open-target.ts'

/** The statements for a database; their parameters are in this order. */
export interface SqlStatements {
  /** Adds an event: time and text. */
  readonly append: string
  /** Writes an object: `bucket/key` and text. */
  readonly put: string
  /** Deletes a removed object: `bucket/key`. */
  readonly remove: string
  /** Returns the time in the format of the database. */
  readonly formatTime: (message: ParsedEventMessage) => string
}

/**
 * Creates a target that writes a row for each object (namespace) or for each event (access).
 * @param isRefusal whether the same row will always cause this error
 */
export function sqlTarget<Client>(
  { arn, isAccess }: { arn: string; isAccess: boolean },
  connection: KeptConnection<Client>,
  { append, put, remove, formatTime }: SqlStatements,
  run: (client: Client, statement: string, values: string[]) => Promise<unknown>,
  isRefusal: (code: string) => boolean,
): ReturnType<OpenTarget> {
  const write = (client: Client, message: ParsedEventMessage) => {
    const { key, records, isRemoval } = message
    if (isAccess) return run(client, append, [formatTime(message), records])
    return isRemoval ? run(client, remove, [key]) : run(client, put, [key, records])
  }
  return {
    arn,
    send: (text, signal) =>
      connection.use(signal, async (client) => {
        try {
          await write(client, parseEventMessage(text))
        } catch (error) {
          const code = error instanceof Error && 'code' in error ? String(error.code) : ''
          throw isRefusal(code) ? new MessageRefusedError((error as Error).message, { cause: error }) : error
        }
      }),
    close: () => connection.close(),
  }
}
