import { createEgress } from '@stowage/egress'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { useLocalServers } from '../../../testing/local-servers.ts'
import { ConsoleGrant, ConsoleGrants } from './console-grants.ts'
import { createTenantConsoles } from './console-server.ts'

const { serve } = useLocalServers()

test.each([
  ['GET', null],
  ['PUT', 'a body'],
])('%s connects only to addresses that are allowed', async (method, body) => {
  const { origin } = await serve((_request, response) => response.end('seen'))
  const ask = async (allow: string[]) => {
    await using egress = openEgress(allow)
    const grants = new ConsoleGrants()
    const consoles = createTenantConsoles(grants, { tls: undefined }, pino({ level: 'silent' }))
    await consoles.listen('127.0.0.1', 0)
    const shownAt = `http://127.0.0.1:${consoles.port()}`
    const grant = new ConsoleGrant(
      {
        namespace: 'a',
        tenant: 'b',
        session: 'c',
        expires: Date.now() + 60_000,
        link: { origin, egress: egress.egress },
        addresses: [],
        framedBy: shownAt,
        shownAt,
        isShared: true,
        signIn: async () => 'token=x',
      },
      'token=x',
    )
    grants.add(grant)
    const headers = { cookie: `stowage-tenant=${grant.id}` }
    const answer = await fetch(`${shownAt}/api/proxy/a/b/x`, { method, body, headers })
    const received = [answer.status, await answer.text()]
    await consoles.close()
    return received
  }
  expect(await ask(['127.0.0.1'])).toEqual([200, 'seen'])
  expect(await ask([])).toEqual([502, 'The console of the tenant cannot be reached'])
})

function openEgress(allow: string[]) {
  const egress = createEgress({ networks: 'private', allow: allow.map((name) => ({ name })) })
  return { egress, [Symbol.asyncDispose]: () => egress.close() }
}
