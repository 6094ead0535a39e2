import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** A request on its own connection, whose body is sent in pieces and which can be aborted at any time. */
export interface SlowRequest {
  /** Sends part of the body; resolves when the system has taken it. */
  send(bytes: Uint8Array | string): Promise<void>
  /** Ends the body and resolves to the answer. */
  finish(): Promise<{ status: number; body: Buffer }>
  /** The headers of the answer; its body is not read before `finish`. */
  head: Promise<IncomingMessage>
  /** Closes the connection, like a closed tab or a lost network. */
  leave(): void
}

export function slowRequest(url: string, method: string, headers: Record<string, string>): SlowRequest {
  const outgoing = request(url, { method, headers, agent: false })
  const head = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve)
    outgoing.once('error', reject)
  })
  // After an abort, errors do not matter.
  head.catch(() => {})
  outgoing.on('error', () => {})
  return {
    send: (bytes) =>
      new Promise((resolve, reject) => outgoing.write(bytes, (error) => (error ? reject(error) : resolve()))),
    async finish() {
      outgoing.end()
      const answer = await head
      return { status: answer.statusCode ?? 0, body: await buffer(answer) }
    },
    head,
    leave: () => outgoing.destroy(),
  }
}

/** Returns the parts of a form with one file, before and after its content. */
export function formAround(field: string, fileName: string): { type: string; before: string; after: string } {
  const boundary = 'stowage-test-boundary'
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    before:
      `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${fileName}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
    after: `\r\n--${boundary}--\r\n`,
  }
}
