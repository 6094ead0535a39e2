import { pino } from 'pino'
import { expect, test } from 'vitest'
import { buildApp } from './app.ts'
import { AuditStore } from './lib/audit/segments/audit-store.ts'
import { readConfig } from './lib/config/config.ts'
import { useLocalServers } from './testing/local-servers.ts'

const { serve } = useLocalServers()

test('a typed address leads neither to the console nor to its storage server, even where this machine is allowed', async () => {
  const server = await serve((_, response) => response.end('the storage server'))
  const other = await serve((_, response) => response.end('another program'))
  const config = readConfig({ STOWAGE_EGRESS_ALLOW: '127.0.0.0/8' })
  const app = await buildApp(config, {
    server,
    audit: new AuditStore('/nonexistent/audit'),
    secrets: ['a secret of this test'],
    logger: pino({ level: 'silent' }),
  })
  const console = await app.listen({ host: '127.0.0.1', port: 0 })
  try {
    for (const own of [console, server.origin])
      await expect(app.egress.request(`${own}/`)).rejects.toMatchObject({ code: 'NotAllowed' })
    expect((await app.egress.request(other)).body.toString()).toBe('another program')
  } finally {
    await app.close()
  }
})
