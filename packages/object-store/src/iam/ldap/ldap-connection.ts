import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { Egress } from '@stowage/egress'
import { Client, type ClientOptions } from 'ldapts'
import type { LdapSettings } from './ldap-settings.ts'

/** Limits per connection: a directory that sends more, or takes longer, is disconnected. */
const MAX_BYTES = 1024 * 1024
const ANSWER_MS = 10_000
const TOTAL_MS = 30_000

/** Opens a connection, not bound yet, and closes it after the work. */
export async function withLdapConnection<T>(
  settings: LdapSettings,
  egress: Pick<Egress, 'connect'>,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { host, port, encryption, verifyCertificate } = settings
  const tls = { rejectUnauthorized: verifyCertificate, ...(isIP(host) ? {} : { servername: host }) }
  const socket = await egress.connect({ host, port, tls: encryption === 'tls' && tls })
  const client = new Client({
    // The connection already exists; this address is not used.
    url: 'ldap://localhost',
    timeout: ANSWER_MS,
    createConnection: (() => limitReceived(socket)) as unknown as NonNullable<ClientOptions['createConnection']>,
    // Only `startTLS` calls this, with the options given below.
    createSecureConnection: ((options: Parameters<typeof connectTls>[0]) =>
      limitReceived(connectTls(options))) as unknown as NonNullable<ClientOptions['createSecureConnection']>,
  })
  const deadline = setTimeout(() => socket.destroy(), TOTAL_MS)
  try {
    if (encryption === 'starttls') await client.startTLS({ host, ...tls })
    return await work(client)
  } finally {
    clearTimeout(deadline)
    socket.on('error', () => {})
    await client.unbind().catch(() => {})
    socket.destroy()
  }
}

function limitReceived<T extends Socket | TLSSocket>(socket: T): T {
  let received = 0
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received > MAX_BYTES) socket.destroy()
  })
  return socket
}
