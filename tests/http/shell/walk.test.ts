import { type Endpoint, endpoints, type Operation } from '@stowage/contract'
import { examples } from '@stowage/contract/examples'
import { beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { realInput } from '../../support/samples.ts'
import { sharedConsole } from '../../support/shared.ts'
import type { TestTarget } from '../../support/target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

const all = Object.entries(endpoints) as [Operation, Endpoint][]
const needSession = all.filter(([, e]) => e.access === 'session')
/** Calls that ask the storage server for a right: those that change state, and the reads that name an action. */
const needRight = needSession.filter(([, e]) => e.actions.length > 0)

/** Input that is well-formed for a call and names what exists, so that only the caller's right decides. */
async function input(operation: Operation): Promise<object> {
  const real = await realInput(c, examples[operation])
  const { body } = endpoints[operation]
  if (body === 'multipart') return { ...real, body: form() }
  return body === 'bytes' ? { ...real, body: new Uint8Array([1]) } : real
}

function form(): FormData {
  const data = new FormData()
  data.append('lake.jpg', new Blob(['x']), 'lake.jpg')
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

const status = async (caller: Caller, operation: Operation): Promise<number> => {
  const response = await caller.send(operation, (await input(operation)) as never)
  await response.body?.cancel()
  return response.status
}

test.each(needSession.map(([name]) => name))('%s without a session is 401', async (operation) => {
  expect(await status(c.anonymous(), operation)).toBe(401)
})

test.each(needRight.map(([name]) => name))(
  '%s is refused to a user whose policy denies its action',
  async (operation) => {
    const caller = await c.signInWith(policy('Deny', endpoints[operation].actions))
    expect(await status(caller, operation)).toBe(403)
  },
)

/** What a call needs besides its own action on the servers, as MinIO asks it too. */
const also: Partial<Record<Operation, string[]>> = {
  completeUpload: ['s3:ListMultipartUploadParts'],
  // The example contains a folder.
  deleteObjects: ['s3:ListBucket'],
}

test.each(needRight.map(([name, e]) => [name, e.status] as const))(
  '%s passes with its action allowed and answers %d',
  async (operation, wanted) => {
    const actions = [...endpoints[operation].actions, ...(also[operation] ?? [])]
    const caller = await c.signInWith(policy('Allow', actions))
    expect(await status(caller, operation)).toBe(wanted)
  },
)
