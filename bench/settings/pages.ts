import { createMadmin } from '@stowage/madmin'
import { startProduct } from '../console.ts'
import { timed } from '../measure.ts'
import { note, repeat, type Sizes } from './shared.ts'

export async function benchPages({ history: count }: Sizes): Promise<void> {
  await using c = await startProduct()
  const madmin = createMadmin({
    endpoint: c.serverUrl,
    credentials: { accessKey: c.rootUser, secretKey: c.rootPassword },
  })
  for (let i = 0; i < count; i++) await madmin.setConfig(`api requests_max=${1000 + i}`)
  const call = (name: 'listConfigs' | 'listConfigHistory' | 'listNotificationEndpoints') => () =>
    timed(() => c.call(name, {}))
  note('settings page: list of configurations', 'ms', await repeat(call('listConfigs'), 10))
  note('settings page: list of targets', 'ms', await repeat(call('listNotificationEndpoints'), 10))
  note(`history of ${count} entries`, 'ms', await repeat(call('listConfigHistory'), 10))
}
