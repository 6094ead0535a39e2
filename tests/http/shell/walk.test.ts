import { type Endpoint, endpoints, type Operation } from '@stowage/contract'
import { beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { sharedConsole } from '../../support/shared.ts'
import type { TestTarget } from '../../support/target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const all = Object.entries(endpoints) as [Operation, Endpoint][]
const needSession = all.filter(([, e]) => e.access === 'session')
/** Calls that ask the storage server for a right: those that change state, and the reads that name an action. */
const needRight = needSession.filter(([, e]) => e.actions)

/** Input that is well-formed for a call on this bucket, so that only the caller's right decides. */
async function input(operation: Operation, bucket: string): Promise<object> {
  const key = 'walk/object.bin'
  const params = { bucket }
  const query = { prefix: key }
  const uploadId = async () => (await c.call('createUpload', { params, query, body: {} })).upload_id
  const inputs: Partial<Record<Operation, () => object | Promise<object>>> = {
    createBucket: () => ({ body: { name: c.freshName('walk') } }),
    deleteBucket: () => ({ params, body: { name: bucket } }),
    setBucketAccess: () => ({ params, body: { access: 'PRIVATE' } }),
    setBucketVersioning: () => ({ params, body: { versioning: true } }),
    setBucketQuota: () => ({ params, body: { enabled: true, quota_type: 'hard', amount: 1e9 } }),
    listObjects: () => ({ params, query: { limit: '10' } }),
    deleteObject: () => ({ params, query: { path: key } }),
    deleteObjects: () => ({ params, body: [{ path: key }] }),
    downloadObject: async () => {
      await c.root.send('uploadObjects', { params, query: { prefix: 'walk/' }, body: form() })
      return { params, query }
    },
    uploadObjects: () => ({ params, query: { prefix: 'walk/' }, body: form() }),
    createUpload: () => ({ params, query, body: {} }),
    listUploadParts: async () => ({ params: { bucket, uploadId: await uploadId() }, query }),
    uploadPart: async () => ({
      params: { bucket, uploadId: await uploadId(), part: 1 },
      query,
      body: new Uint8Array([1]),
    }),
    completeUpload: async () => {
      const id = await uploadId()
      const { part, etag } = await c.call('uploadPart', {
        params: { bucket, uploadId: id, part: 1 },
        query,
        body: new Uint8Array([1]) as never,
      })
      return { params: { bucket, uploadId: id }, query, body: { parts: [{ part, etag }] } }
    },
    abortUpload: async () => ({ params: { bucket, uploadId: await uploadId() }, query }),
  }
  return (await inputs[operation]?.()) ?? { params }
}

function form(): FormData {
  const data = new FormData()
  data.append('object.bin', new Blob(['x']), 'object.bin')
  return data
}

const policy = (effect: 'Allow' | 'Deny', actions: readonly string[]) => ({
  Version: '2012-10-17',
  Statement: [
    ...(effect === 'Deny'
      ? [
          { Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'] },
          { Effect: 'Allow', Action: ['admin:*'] },
        ]
      : []),
    ...['s3:', 'admin:']
      .map((family) => actions.filter((a) => a.startsWith(family)))
      .filter((some) => some.length > 0)
      .map((some) => ({
        Effect: effect,
        Action: some,
        ...(some[0]?.startsWith('s3:') ? { Resource: ['arn:aws:s3:::*'] } : {}),
      })),
  ],
})

const status = async (caller: Caller, operation: Operation, bucket: string): Promise<number> => {
  const response = await caller.send(operation, (await input(operation, bucket)) as never)
  await response.body?.cancel()
  return response.status
}

test.each(needSession.map(([name]) => name))('%s without a session is 401', async (operation) => {
  expect(await status(c.anonymous(), operation, await c.newBucket('walk'))).toBe(401)
})

test.each(needRight.map(([name]) => name))(
  '%s is refused to a user whose policy denies its action',
  async (operation) => {
    const caller = await c.signInWith(policy('Deny', endpoints[operation as 'createBucket'].actions))
    expect(await status(caller, operation, await c.newBucket('walk'))).toBe(403)
  },
)

/** What a call needs besides its own action on the servers, as MinIO asks it too. */
const also: Partial<Record<Operation, string[]>> = {
  completeUpload: ['s3:ListMultipartUploadParts'],
}

test.each(needRight.map(([name, e]) => [name, e.status] as const))(
  '%s passes with its action allowed and answers %d',
  async (operation, wanted) => {
    const actions = [...endpoints[operation as 'createBucket'].actions, ...(also[operation] ?? [])]
    const caller = await c.signInWith(policy('Allow', actions))
    expect(await status(caller, operation, await c.newBucket('walk'))).toBe(wanted)
  },
)
