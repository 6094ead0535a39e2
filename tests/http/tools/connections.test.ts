import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Endpoint, endpoints, type Operation } from '@stowage/contract'
import { examples } from '@stowage/contract/examples'
import { expect } from 'vitest'
import { openLiveClient } from '../../support/console/live-socket.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { startConsole } from '../../support/console/start-console.ts'
import { realInput } from '../../support/data/sample-inputs.ts'

const HOOK = new URL('../../support/processes/note-connections.mjs', import.meta.url)
/** Everything that pages read. What changes something connects to an address only if its body names one. */
const reads = (Object.entries(endpoints) as [Operation, Endpoint][]).filter(
  ([, { method, mode }]) => method === 'GET' && mode !== 'operator',
)

/** Runs a console and its store, reads whatever pages read, and returns the addresses that both connected to. */
async function connectedAddresses(env: Record<string, string>, operations = reads) {
  const folder = await mkdtemp(join(tmpdir(), 'stowage-connections-'))
  try {
    const file = join(folder, 'connections')
    await using own = await startConsole({
      env,
      execArgv: ['--import', `${HOOK.href}?file=${encodeURIComponent(file)}`],
    })
    await own.newBucket('connections')
    for (const [operation, { answer }] of operations) {
      const input = (await realInput(own, examples[operation])) as never
      if (answer === 'socket') {
        await using live = await openLiveClient(own.root, operation, input)
        await live.next()
      } else {
        const response = await own.root.send(operation, input)
        await response.body?.cancel()
      }
    }
    for (const path of ['/', '/buckets', '/license', '/api/v1/docs']) await (await fetch(`${own.url}${path}`)).text()
    await own.call('logout', {})
    await own.stop()
    const store = new URL(own.serverUrl)
    const connections = new Set((await readFile(file, 'utf8')).trim().split('\n'))
    return { connections: [...connections], store: `${store.hostname}:${store.port}` }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

ownStore.test('console and store connect to no address that no setting names', async () => {
  const { connections, store } = await connectedAddresses({})
  expect(connections).toEqual([store])
})

ownStore.test('the addresses in settings are the only further ones', async () => {
  const env = {
    STOWAGE_PROMETHEUS_URL: 'http://127.0.0.1:9',
    STOWAGE_LOG_QUERY_URL: 'http://127.0.0.2:9',
  }
  const { connections, store } = await connectedAddresses(
    env,
    reads.filter(([, { area }]) => area === 'admin' || area === 'logs'),
  )
  expect(connections.sort()).toEqual([store, '127.0.0.1:9', '127.0.0.2:9'].sort())
})
