import { readFileSync } from 'node:fs'
import { beforeAll, expect } from 'vitest'
import { ownStore } from '../../support/console/own-store.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import { startConsole } from '../../support/console/start-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { missingMembers, type RecordedCall } from '../../support/data/recorded-calls.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const recorded = JSON.parse(readFileSync(new URL('recorded/answers.json', import.meta.url), 'utf8')) as RecordedCall[]

ownStore.test(
  'without a source the recorded calls have answers of the same shape; a new history returns when it will have values',
  async () => {
    await using console = await startConsole({ env: { STOWAGE_SERVER: c.serverUrl, STOWAGE_METRICS_INTERVAL: '600' } })
    expect(recorded.map(({ id }) => id)).toEqual(['info', 'widget.noprom'])
    for (const { id, m, p, status, json } of recorded) {
      const response = await fetch(console.url + p, {
        method: m,
        headers: { authorization: `Bearer ${console.root.session}` },
      })
      const answer = (await response.json()) as { widgets?: unknown }
      expect([id, response.status]).toEqual([id, status])
      // The names in `network` are addresses of servers.
      expect(
        missingMembers(json, answer).filter((name) => !name.includes('.network.')),
        id,
      ).toEqual([])
      if (id === 'info') expect(answer.widgets).toBeNull()
    }
    await console.call('keepHistory', {})
    try {
      // A rate needs a second sample, which is due after the interval.
      const rate = await console.call('getWidget', { params: { id: 73 } })
      expect(rate.empty).toBe('too-new')
      expect(rate.wait).toBeGreaterThan(500)
      expect(rate.wait).toBeLessThanOrEqual(600)
    } finally {
      await console.call('endHistory', {})
    }
  },
)

// Uses the shared console's store as a server without its own console.
ownStore.test(
  'of another server a history is kept by a service account that may do nothing else, until it is ended',
  async () => {
    const env = { STOWAGE_SERVER: c.serverUrl, STOWAGE_METRICS_INTERVAL: '0.3' }
    await using console = await startConsole({ env })
    const source = async () => (await console.call('getAdminInfo', {})).metrics
    expect([await source(), (await console.call('getAdminInfo', {})).widgets]).toEqual(['none', null])
    const without = await console.root.send('getWidget', { params: { id: 1 } })
    expect([without.status, await without.json()]).toMatchObject([
      500,
      { detailedMessage: 'No history of the metrics is kept' },
    ])
    const accounts = async () =>
      (await c.madmin.listServiceAccounts())
        .filter(({ name }) => name === 'stowage-metrics')
        .map((each) => each.accessKey)

    await console.call('keepHistory', {})
    expect(await source()).toBe('kept')
    const [accessKey = '', ...others] = await accounts()
    expect(others).toEqual([])
    const { policy } = await c.madmin.getServiceAccount(accessKey)
    expect(policy).toMatchObject({
      Statement: [
        {
          Effect: 'Allow',
          Action: ['admin:Prometheus', 'admin:ServerInfo', 'admin:StorageInfo', 'admin:DataUsageInfo'],
        },
      ],
    })
    const latest = async (target: TestTarget) => {
      const { targets } = await target.call('getWidget', { params: { id: 53 }, query: { step: 1 } })
      return targets[0]?.result[0]?.values.at(-1)?.[1]
    }
    await expect.poll(() => latest(console), { timeout: 30_000 }).toBe('1')
    // A second click does not create a second account.
    await console.call('keepHistory', {})
    expect(await accounts()).toEqual([accessKey])

    // It survives a restart, and its key is not readable anywhere.
    await console.stop()
    await using again = await startConsole({ env, data: console.data })
    expect((await again.call('getAdminInfo', {})).metrics).toBe('kept')
    await expect.poll(() => latest(again), { timeout: 30_000 }).toBe('1')
    expect(again.output()).not.toContain(accessKey)

    await again.call('endHistory', {})
    expect(await accounts()).toEqual([])
    expect((await again.call('getAdminInfo', {})).widgets).toBeNull()

    // If somebody deletes the service account, the console reports it once, and the history can be ended and begun anew.
    await again.call('keepHistory', {})
    const [deleted = ''] = await accounts()
    await c.madmin.deleteServiceAccount(deleted)
    await expect.poll(() => again.output(), { timeout: 30_000 }).toContain('cannot be sampled')
    expect((await again.call('getWidget', { params: { id: 53 } })).id).toBe(53)
    await again.call('endHistory', {})
    await again.call('keepHistory', {})
    expect(await accounts()).toHaveLength(1)
    await again.call('endHistory', {})
  },
)
