import { MiB } from '@stowage/contract/values/units'
import { createMadmin, type NewTier } from '@stowage/madmin'
import { isBrokerInstalled, startBroker } from '../../packages/object-store/src/events/targets/testing/brokers.ts'
import { ROOT_CREDENTIALS, startTestStore } from '../../packages/object-store/src/http/testing/test-store.ts'
import { azureAuthorization } from '../../packages/object-store/src/tiers/azure-driver.ts'
import {
  AZURE_ACCOUNT,
  AZURE_KEY,
  startAzureServer,
  startGoogleServer,
} from '../../packages/object-store/src/tiers/testing.ts'
import { timed } from '../lib/measure.ts'
import { S3 } from '../lib/s3.ts'
import { addTableLine, repeatWork } from './setup.ts'

/** Azurite with the container `cold`, or the server of the tests. */
async function startAzureTier(): Promise<AsyncDisposable & { who: string; endpoint: string }> {
  if (!isBrokerInstalled('azurite')) {
    const peer = await startAzureServer()
    return Object.assign(peer, { who: 'Azure (server of the tests)', endpoint: `${peer.url}/${AZURE_ACCOUNT}` })
  }
  const broker = await startBroker('azurite')
  const endpoint = `http://127.0.0.1:${broker.port}/${AZURE_ACCOUNT}`
  const headers = { 'x-ms-date': new Date().toUTCString(), 'x-ms-version': '2020-10-02' }
  const call = { method: 'PUT', path: `/${AZURE_ACCOUNT}/cold`, query: [['restype', 'container']] as const, headers }
  const authorization = azureAuthorization({ accessKey: AZURE_ACCOUNT, secretKey: AZURE_KEY }, call)
  const url = `${endpoint}/cold?restype=container`
  const { ok } = await fetch(url, { method: 'PUT', headers: { ...headers, authorization } })
  if (!ok) throw new Error('Azurite did not create the container')
  return Object.assign(broker, { who: 'Azurite', endpoint })
}

export async function benchTiers(): Promise<void> {
  const [remote, azure, google] = await Promise.all([startTestStore(), startAzureTier(), startGoogleServer()])
  const emulator = isBrokerInstalled('gcsEmulator') ? await startBroker('gcsEmulator') : undefined
  const googleEndpoint = emulator ? `http://127.0.0.1:${emulator.port}` : google.url
  await remote.engine.createBucket('cold')
  await using store = await startTestStore({ outgoing: '127.0.0.1' })
  const s3 = new S3(store.url, ROOT_CREDENTIALS)
  const place = (name: string) => ({
    name,
    bucket: 'cold',
    prefix: name.toLowerCase(),
    region: 'us-east-1',
    storageClass: '',
  })
  const accountName = AZURE_ACCOUNT
  const tiers: [string, NewTier][] = [
    ['S3 (a second store)', { type: 's3', ...place('S3'), endpoint: remote.url, ...ROOT_CREDENTIALS }],
    [azure.who, { type: 'azure', ...place('AZURE'), endpoint: azure.endpoint, accountName, accountKey: AZURE_KEY }],
    [
      emulator ? 'GCS (gcp-storage-emulator)' : 'GCS (server of the tests)',
      { type: 'gcs', ...place('GCS'), endpoint: googleEndpoint, creds: google.creds },
    ],
  ]
  const COUNT = 32
  const body = Buffer.alloc(MiB, 'stowage ')
  for (const [who, tier] of tiers) {
    await createMadmin({ endpoint: store.url, credentials: ROOT_CREDENTIALS }).addTier(tier)
    const bucket = `from-${tier.name.toLowerCase()}`
    await s3.done({ method: 'PUT', path: `/${bucket}` })
    await S3.parallel(8, COUNT, (i) => s3.done({ method: 'PUT', path: `/${bucket}/${i}`, body }))
    const transition = `<Transition><Days>0</Days><StorageClass>${tier.name}</StorageClass></Transition>`
    const rule = `<Rule><ID>r</ID><Status>Enabled</Status><Filter/>${transition}</Rule>`
    const document = Buffer.from(`<LifecycleConfiguration>${rule}</LifecycleConfiguration>`)
    const isLocal = (i: number) => store.engine.getObject(bucket, `${i}`).info.tier === undefined
    const ms = await timed(async () => {
      await s3.done({ method: 'PUT', path: `/${bucket}`, query: { lifecycle: '' }, body: document })
      for (let pass = 0; pass < 10 && Array.from({ length: COUNT }, (_, i) => i).some(isLocal); pass++)
        await store.server.lifecycle.run()
    })
    addTableLine(`move objects of 1 MiB to ${who}`, 'MiB/s', [COUNT / (ms / 1000)])
    addTableLine(
      `get of 1 MiB through ${who}`,
      'ms',
      await repeatWork(() => timed(() => s3.done({ method: 'GET', path: `/${bucket}/0` })), 10),
    )
  }
  for (const each of [remote, azure, google, emulator]) await each?.[Symbol.asyncDispose]()
}
