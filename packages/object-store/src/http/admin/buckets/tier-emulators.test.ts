import { randomBytes } from 'node:crypto'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutBucketLifecycleConfigurationCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { createMadmin, type NewTier } from '@stowage/madmin'
import { Agent } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BROKER_TIMEOUT, type Broker, isBrokerInstalled, startBroker } from '../../../events/targets/testing/brokers.ts'
import { azureAuthorization, azureDriver } from '../../../tiers/azure-driver.ts'
import { gcsDriver } from '../../../tiers/gcs-driver.ts'
import { AZURE_ACCOUNT, AZURE_KEY, type GoogleServer, startGoogleServer } from '../../../tiers/testing.ts'
import type { TierDriver, TierLocation } from '../../../tiers/tier-driver.ts'
import { type HttpTestStore, ROOT_CREDENTIALS, startTestStore } from '../../testing/test-store.ts'

/* Tiers on emulators that others wrote: Azurite, and gcp-storage-emulator, whose tokens come from the server of the tests. */

let store: HttpTestStore
let google: GoogleServer
beforeAll(async () => {
  ;[store, google] = await Promise.all([startTestStore({ outgoing: '127.0.0.1' }), startGoogleServer()])
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  await google[Symbol.asyncDispose]()
})

const madmin = () => createMadmin({ endpoint: store.url, credentials: ROOT_CREDENTIALS })
const agent = new Agent()
const dispatcher = async () => agent
const place = (name: string) => ({ name, bucket: 'cold', prefix: name.toLowerCase(), region: '', storageClass: '' })
const azureKeys = { accessKey: AZURE_ACCOUNT, secretKey: AZURE_KEY }
const azureEndpoint = ({ port }: Broker) => `http://127.0.0.1:${port}/${AZURE_ACCOUNT}`

async function createContainer({ port }: Broker): Promise<void> {
  const path = `/${AZURE_ACCOUNT}/cold`
  const headers = { 'x-ms-date': new Date().toUTCString(), 'x-ms-version': '2020-10-02' }
  const query = [['restype', 'container']] as const
  const authorization = azureAuthorization(azureKeys, { method: 'PUT', path, query, headers })
  const url = `http://127.0.0.1:${port}${path}?restype=container`
  expect((await fetch(url, { method: 'PUT', headers: { ...headers, authorization } })).status).toBe(201)
}

const KINDS = [
  {
    name: 'azurite',
    prepare: createContainer,
    tier: (broker: Broker, name: string): NewTier => ({
      type: 'azure',
      ...place(name),
      endpoint: azureEndpoint(broker),
      accountName: AZURE_ACCOUNT,
      accountKey: AZURE_KEY,
    }),
    driver: (broker: Broker, at: TierLocation): TierDriver =>
      azureDriver({ ...at, ...azureKeys, endpoint: azureEndpoint(broker) }, dispatcher),
  },
  {
    name: 'gcsEmulator',
    prepare: async () => undefined,
    tier: ({ port }: Broker, name: string): NewTier => ({
      type: 'gcs',
      ...place(name),
      endpoint: `http://127.0.0.1:${port}`,
      creds: google.creds,
    }),
    driver: ({ port }: Broker, at: TierLocation): TierDriver =>
      gcsDriver({ ...at, creds: google.creds, endpoint: `http://127.0.0.1:${port}` }, dispatcher),
  },
] as const

for (const { name, prepare, tier, driver } of KINDS) {
  describe.skipIf(!isBrokerInstalled(name))(name, () => {
    let broker: Broker
    beforeAll(async () => {
      broker = await startBroker(name)
      await prepare(broker)
    }, BROKER_TIMEOUT)
    afterAll(() => broker?.[Symbol.asyncDispose]())
    const at = (prefix: string): TierLocation => ({ ...place(''), ...azureKeys, prefix, endpoint: '' })

    test('is a tier that is tried, verified and removed, and nothing of the try stays there', async () => {
      const client = madmin()
      await client.addTier(tier(broker, 'TRIED'))
      await client.verifyTier('TRIED')
      expect(await driver(broker, at('tried')).isEmpty()).toBe(true)
      await client.removeTier('TRIED')
    })

    test('is no tier with a bucket that does not exist', async () => {
      const failure = madmin().addTier({ ...tier(broker, 'NEW'), bucket: 'absent' })
      await expect(failure).rejects.toMatchObject({ rawCode: 'XMinioAdminTierBucketNotFound' })
    })

    test('is no tier where other objects are', async () => {
      const other = driver(broker, at('taken'))
      await other.put('other', 1, oneChunk(Buffer.from('x')))
      const failure = madmin().addTier(tier(broker, 'TAKEN'))
      await expect(failure).rejects.toMatchObject({ rawCode: 'XMinioAdminTierBackendInUse' })
      await other.remove('other')
      await other.remove('other')
    })

    test('has objects that a rule moves, gives ranges of them, and loses them when they are deleted', async () => {
      const tierName = name.toUpperCase()
      const bucket = name.toLowerCase()
      await madmin().addTier(tier(broker, tierName))
      await store.engine.createBucket(bucket)
      const Transitions = [{ Days: 0, StorageClass: tierName as never }]
      const Rules = [{ ID: 'move', Status: 'Enabled' as const, Filter: { Prefix: '' }, Transitions }]
      const s3 = store.s3()
      await s3.send(new PutBucketLifecycleConfigurationCommand({ Bucket: bucket, LifecycleConfiguration: { Rules } }))
      // Waits for the pass that the new rule has started.
      await store.server.lifecycle.run()
      const content = randomBytes(300_000)
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'ü +%', Body: content }))
      expect(await store.server.lifecycle.run()).toMatchObject({ moved: 1, failed: 0 })
      const there = driver(broker, at(tierName.toLowerCase()))
      expect(await there.isEmpty()).toBe(false)
      const read = async (Range?: string) => {
        const { Body } = await s3.send(
          new GetObjectCommand({ Bucket: bucket, Key: 'ü +%', ...(Range === undefined ? {} : { Range }) }),
        )
        return Buffer.from((await Body?.transformToByteArray()) ?? [])
      }
      expect((await read()).equals(content)).toBe(true)
      expect((await read('bytes=100000-200000')).equals(content.subarray(100_000, 200_001))).toBe(true)
      await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: 'ü +%' }))
      await expect.poll(() => there.isEmpty()).toBe(true)
    })

    if (name === 'azurite') {
      test.each([
        ['another key', { accountKey: Buffer.from('wrong').toString('base64') }],
        ['another account', { accountName: 'other' }],
      ])('refuses %s', async (_, over) => {
        const failure = madmin().addTier({ ...tier(broker, 'WRONG'), ...over } as NewTier)
        // Azurite has one code for both; Azure itself names a wrong key.
        await expect(failure).rejects.toMatchObject({ code: 'XMinioAdminTierInsufficientPermissions' })
      })

      test('has large objects in blocks', async () => {
        const settings = { ...at('blocks'), endpoint: azureEndpoint(broker) }
        const blocks = azureDriver(settings, dispatcher, { singleBytes: 100_000, blockBytes: 64 * 1024 })
        const content = randomBytes(200_000)
        await blocks.put('large', content.length, oneChunk(content))
        const chunks: Buffer[] = []
        for await (const chunk of blocks.get('large', { start: 60_000, end: 140_000 })) chunks.push(chunk)
        expect(Buffer.concat(chunks).equals(content.subarray(60_000, 140_000))).toBe(true)
        await blocks.remove('large')
      })
    }
  })
}

async function* oneChunk(content: Buffer): AsyncGenerator<Buffer, void, void> {
  yield content
}
