import { createMadmin } from '@stowage/madmin'
import { timed } from '../lib/measure.ts'
import { startProduct } from '../lib/start-product.ts'
import { addTableLine, repeatWork, type SettingSizes } from './setup.ts'

export async function benchPages({ history: count }: SettingSizes): Promise<void> {
  await using c = await startProduct()
  const madmin = createMadmin({
    endpoint: c.serverUrl,
    credentials: { accessKey: c.rootUser, secretKey: c.rootPassword },
  })
  for (let i = 0; i < count; i++) await madmin.setConfig(`api requests_max=${1000 + i}`)
  const call = (name: 'listConfigs' | 'listConfigHistory' | 'listNotificationEndpoints') => () =>
    timed(() => c.call(name, {}))
  addTableLine('settings page: list of configurations', 'ms', await repeatWork(call('listConfigs'), 10))
  addTableLine('settings page: list of targets', 'ms', await repeatWork(call('listNotificationEndpoints'), 10))
  addTableLine(`history of ${count} entries`, 'ms', await repeatWork(call('listConfigHistory'), 10))
}
