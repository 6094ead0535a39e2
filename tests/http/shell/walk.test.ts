import { type Endpoint, endpoints, type Operation } from '@stowage/contract'
import { examples } from '@stowage/contract/examples'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import type { TestCaller } from '../../support/console/caller.ts'
import { openLiveClient } from '../../support/console/live-socket.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'
import { realInput } from '../../support/data/sample-inputs.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

// Calls of operator mode: tests/http/operator/walk.test.ts.
const all = (Object.entries(endpoints) as [Operation, Endpoint][]).filter(([, { mode }]) => mode !== 'operator')
const needSession = all.filter(([, e]) => e.access === 'session')
/** Calls for which the storage server checks a right: those that change state, and reads with an action. */
const needRight = needSession.filter(([, e]) => e.actions.length > 0 && e.answer !== 'socket')
const sockets = needSession.filter(([, e]) => e.answer === 'socket')

/** Valid input for a call with existing names, so that only the caller's right decides. */
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
    ...['s3:', 'admin:', 'kms:']
      .map((family) => actions.filter((a) => a.startsWith(family)))
      .filter((some) => some.length > 0)
      .map((some) => ({
        Effect: effect,
        Action: some,
        ...(some[0]?.startsWith('s3:') ? { Resource: ['arn:aws:s3:::*'] } : {}),
      })),
  ],
})

const status = async (caller: TestCaller, operation: Operation): Promise<number> => {
  const response = await caller.send(operation, (await input(operation)) as never)
  await response.body?.cancel()
  return response.status
}

test.each(needSession.map(([name]) => name))('%s without a session is 401', async (operation) => {
  expect(await status(c.anonymous(), operation)).toBe(401)
})

/** Not supported by the embedded store yet; delete a line here when it is. */
const settingCalls: Operation[] = ['addNotificationEndpoint', 'testNotificationEndpoint', 'deleteNotificationEndpoint']
/** They need a tier; `tests/http/tiers` tests them with one. */
const tierCalls: Operation[] = ['addTier', 'getTier', 'setTierCredentials', 'verifyTier', 'restoreFromTier']
/** These need more than a name on the other server: a tier, a target, keys, or a lot of time. */
const elsewhere: Operation[] = [
  'restartService',
  'getBucketEncryption',
  'enableBucketEncryption',
  'listKmsKeys',
  'createBucketEvent',
  'deleteBucketEvent',
  'setBucketCors',
  'listRefusedEvents',
  'resendRefusedEvents',
  'dropRefusedEvents',
  ...settingCalls,
  'listTiers',
  'listTierStates',
  'deleteTier',
]
const missing = (name: Operation) =>
  inject('console').embedded ? settingCalls.includes(name) || name === 'restartService' : elsewhere.includes(name)

/** These need another server, or a target: tests/http/replication, tests/http/notification-targets. */
const needTarget: Operation[] = [
  // A directory: tests/http/session/directory.test.ts.
  'listDirectoryPolicies',
  'changeDirectoryPolicies',
  'updateReplicationRule',
  'deleteReplicationRule',
  'deleteReplicationRules',
  'listExternalBuckets',
  'resyncReplication',
  'retryReplication',
  'listRefusedEvents',
  'resendRefusedEvents',
  'dropRefusedEvents',
  // An object on the drives of a MinIO server: tests/http/tools/diagnostics.test.ts.
  'inspectData',
]

/** They change a setting that other tests would see: tests/http/tools. */
const ofTheServer: Operation[] = ['recordAudit']

/** MinIO lets anyone who sends the bypass header remove governance retention. */
const unguarded = (name: Operation) => name === 'deleteObjectRetention' && !inject('console').embedded

test.each(needRight.map(([name]) => name).filter((name) => !missing(name) && !unguarded(name)))(
  '%s is refused to a user whose policy denies its action',
  async (operation) => {
    const caller = await c.signInWith(policy('Deny', endpoints[operation].actions))
    expect(await status(caller, operation)).toBe(403)
  },
)

describe.each(sockets.map(([name]) => name))('the socket %s', (operation) => {
  const open = async (caller: TestCaller) => await openLiveClient(caller, operation, await input(operation))

  test('without a session is 401, and its upgrade too', async () => {
    expect(await status(c.anonymous(), operation)).toBe(401)
    await expect(open(c.anonymous())).rejects.toMatchObject({ status: 401 })
  })

  test('is closed with 1008 and the name of its action to a user whose policy denies it', async () => {
    await using live = await open(await c.signInWith(policy('Deny', endpoints[operation].actions)))
    const { code, reason } = await live.closed
    expect(code).toBe(1008)
    expect(reason).toContain(endpoints[operation].actions[0])
  })

  test('starts with its action allowed', async () => {
    const actions = [...endpoints[operation].actions, ...(also[operation] ?? [])]
    await using live = await open(await c.signInWith(policy('Allow', actions)))
    expect(await live.next()).toEqual({ kind: 'started' })
  })
})

/** Additional rights that a call needs on the servers, as on MinIO. */
const also: Partial<Record<Operation, string[]>> = {
  completeUpload: ['s3:ListMultipartUploadParts'],
  // The example contains a folder.
  deleteObjects: ['s3:ListBucket'],
  // The bucket of the walk has versions, and these calls read one of them.
  changeObjects: ['s3:GetObjectVersion', 's3:GetObjectVersionTagging', 's3:PutObjectVersionTagging'],
  restoreObject: ['s3:GetObject', 's3:GetObjectVersionTagging'],
  // The account is another user's, and its policy is read before an update.
  updateServiceAccount: ['admin:ListServiceAccounts'],
}

test.each(
  needRight
    .filter(([name]) => !missing(name) && !tierCalls.includes(name) && ![...needTarget, ...ofTheServer].includes(name))
    .map(([name, e]) => [name, e.status] as const),
)('%s passes with its action allowed and answers %d', async (operation, wanted) => {
  const actions = [...endpoints[operation].actions, ...(also[operation] ?? [])]
  const caller = await c.signInWith(policy('Allow', actions))
  expect(await status(caller, operation)).toBe(wanted)
})
