import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { startConsole, type TestConsole } from './start-console.ts'
import type { TestTarget } from './test-target.ts'

/** A console whose store can connect to another store, which has the bucket `cold` for tiers. */
export interface TierConsoles extends AsyncDisposable {
  target: TestTarget
  /** Returns parameters of `addTier` for a tier on the other store, with a unique prefix. */
  place(name: string): {
    name: string
    endpoint: string
    bucket: string
    prefix: string
    region: string
    accesskey: string
    secretkey: string
    storageclass: string
  }
}

/** @param given an existing console to use, whose server can connect to this machine */
export async function startTierConsoles(given?: TestTarget): Promise<TierConsoles> {
  // Not the server under test: an empty setting counts as unset.
  const [remote, own] = await Promise.all([
    startConsole({ env: { STOWAGE_SERVER: '' } }),
    given ? undefined : startConsole({ env: { STOWAGE_EGRESS_ALLOW: '127.0.0.1' } }),
  ])
  await remote.s3.send(new CreateBucketCommand({ Bucket: 'cold' }))
  const target = given ?? (own as TestConsole)
  return {
    target,
    place: (name) => ({
      name,
      endpoint: remote.serverUrl,
      bucket: 'cold',
      prefix: `${name.toLowerCase()}/`,
      region: 'us-east-1',
      accesskey: remote.rootUser,
      secretkey: remote.rootPassword,
      storageclass: '',
    }),
    async [Symbol.asyncDispose]() {
      await own?.[Symbol.asyncDispose]()
      await remote[Symbol.asyncDispose]()
    },
  }
}
