import { randomBytes } from 'node:crypto'
import { S3Client } from '@aws-sdk/client-s3'
import type { Input, Operation, Output } from '@stowage/contract'
import { createMadmin } from '@stowage/madmin'
import { TestCaller, type TestCallOptions } from './caller.ts'

/** Addresses of a running console, and root's credentials. */
export interface ConsoleAddress {
  /** URL of the console, without a trailing slash. */
  url: string
  /** The storage server behind it. */
  serverUrl: string
  rootUser: string
  rootPassword: string
  /** Whether the storage server is our embedded store, instead of one named in the environment. */
  embedded: boolean
}

export interface TestCredentials {
  accessKey: string
  secretKey: string
}

/** A running console with its storage server, and clients for both. */
export interface TestTarget extends ConsoleAddress {
  /** A caller signed in as root. */
  root: TestCaller
  call<O extends Operation>(operation: O, input: Input<O>, options?: TestCallOptions): Promise<Output<O>>
  /** Returns a caller that is not signed in. */
  anonymous(): TestCaller
  signIn(accessKey: string, secretKey: string): Promise<TestCaller>
  /** Creates a user whose only policy is this one. */
  newUser(policy: object): Promise<TestCredentials>
  /** Creates such a user and signs it in to the console. */
  signInWith(policy: object): Promise<TestCaller>
  /** A client of the storage server itself, as its root. */
  s3: S3Client
  madmin: ReturnType<typeof createMadmin>
  /** Returns a unique name. */
  freshName(prefix?: string): string
  /** Creates a bucket. */
  newBucket(prefix?: string): Promise<string>
}

/** Creates the clients; signs in as root unless `signIn` is false. */
export async function connectTarget(address: ConsoleAddress, signInAsRoot = true): Promise<TestTarget> {
  const root = new TestCaller(address.url)
  if (signInAsRoot) await root.signIn(address.rootUser, address.rootPassword)
  const credentials = { accessKey: address.rootUser, secretKey: address.rootPassword }
  const s3 = new S3Client({
    endpoint: address.serverUrl,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: address.rootUser, secretAccessKey: address.rootPassword },
    // A MinIO built with Go 1.26 closes connections after some answers without announcing it; the next call fails then.
    maxAttempts: process.env.STOWAGE_TEST_SERVER ? 3 : 1,
  })
  const madmin = createMadmin({ endpoint: address.serverUrl, credentials })
  const freshName = (prefix = 'test') => `${prefix}-${randomBytes(6).toString('hex')}`
  const signIn = async (accessKey: string, secretKey: string) => {
    const caller = new TestCaller(address.url)
    await caller.signIn(accessKey, secretKey)
    return caller
  }
  const newUser = async (policy: object) => {
    const accessKey = freshName('user')
    const secretKey = randomBytes(12).toString('hex')
    const name = freshName('policy')
    await madmin.addUser(accessKey, { secretKey, status: 'enabled' })
    await madmin.addPolicy(name, policy)
    await madmin.setPolicyMapping({ policies: [name], user: accessKey })
    return { accessKey, secretKey }
  }
  return {
    ...address,
    root,
    call: (operation, input, options) => root.call(operation, input, options),
    anonymous: () => new TestCaller(address.url),
    signIn,
    newUser,
    async signInWith(policy) {
      const { accessKey, secretKey } = await newUser(policy)
      return await signIn(accessKey, secretKey)
    },
    s3,
    madmin,
    freshName,
    async newBucket(prefix) {
      const name = freshName(prefix)
      await root.call('createBucket', { body: { name } })
      return name
    },
  }
}
