import { beforeAll, expect, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

test('the token of the scrape configuration reads the metrics and nothing else, until its service account is deleted', async () => {
  const { access_key, scrape_config, alert_rules } = await c.call('connectPrometheus', {})
  expect(scrape_config).toContain(`targets: ['${new URL(c.serverUrl).host}']`)
  expect(alert_rules).toContain('alert: StorageDriveOffline')
  const [, token = ''] = /bearer_token: (\S+)/.exec(scrape_config) ?? []
  const scrape = async (path: string) =>
    (await fetch(`${c.serverUrl}${path}`, { headers: { authorization: `Bearer ${token}` } })).status
  // Servers of 2021 have no document of the buckets, and get no job for it.
  const names = (await isServer2021()) ? ['cluster', 'node'] : ['cluster', 'node', 'bucket']
  const paths = [...scrape_config.matchAll(/metrics_path: (\S+)/g)].map(([, path = '']) => path)
  expect(paths).toEqual(names.map((name) => `/minio/v2/metrics/${name}`))
  for (const path of paths) expect(await scrape(path)).toBe(200)
  const { policy } = await c.madmin.getServiceAccount(access_key)
  expect(policy).toMatchObject({ Statement: [{ Effect: 'Allow', Action: ['admin:Prometheus'] }] })
  await c.madmin.deleteServiceAccount(access_key)
  expect(await scrape('/minio/v2/metrics/cluster')).toBe(403)
})

const isServer2021 = async () =>
  (await c.madmin.serverInfo()).servers.every(({ version }) => version.startsWith('2021-'))

test('without the right to the metrics there is no token', async () => {
  const statement = { Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'] }
  const user = await c.signInWith({ Version: '2012-10-17', Statement: [statement] })
  expect((await callFailure(user.call('connectPrometheus', {}))).status).toBe(403)
  expect((await callFailure(c.anonymous().call('connectPrometheus', {}))).status).toBe(401)
})
