import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import type { TestCaller } from '../../support/console/caller.ts'
import { ownStore } from '../../support/console/own-store.ts'
import { sharedConsole } from '../../support/console/shared-console.ts'
import { startConsole, type TestConsole } from '../../support/console/start-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

/* Policies of the storage server see the address of the console's user, which nobody can forge. */

let behindProxy: TestConsole
let direct: TestTarget
beforeAll(async () => {
  behindProxy = await startConsole({ env: { STOWAGE_TRUST_PROXY: 'on' } })
  direct = await sharedConsole()
  return async () => await behindProxy[Symbol.asyncDispose]()
})

const INSIDE = '10.1.2.3'
const Condition = { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } }
const onlyFromInside = {
  Version: '2012-10-17',
  Statement: [
    { Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'], Condition },
    { Effect: 'Allow', Action: ['admin:SetBucketQuota'], Condition },
  ],
}

/** Returns the status for each way in which the console calls the server: the SDK, streams, the admin API. */
async function statuses(c: TestTarget, caller: TestCaller, headers: Record<string, string>): Promise<number[]> {
  const params = { bucket: await c.newBucket('inside') }
  const quota = { enabled: true, quota_type: 'hard', amount: 1e9 } as const
  const answers = [
    await caller.send('createBucket', { body: { name: c.freshName('inside') } }, { headers }),
    await caller.send('listObjects', { params, query: {} }, { headers }),
    await caller.send('setBucketQuota', { params, body: quota }, { headers }),
  ]
  return answers.map(({ status }) => status)
}

const forwarded = (address: string) => ({ 'x-forwarded-for': address })
const refused = [403, 403, 403]

test('an address from a trusted proxy is used by the policies of the server', async () => {
  const caller = await behindProxy.signInWith(onlyFromInside)
  expect(await statuses(behindProxy, caller, {})).toEqual(refused)
  expect(await statuses(behindProxy, caller, forwarded(INSIDE))).toEqual([201, 200, 200])
  expect(await statuses(behindProxy, caller, forwarded('192.0.2.1'))).toEqual(refused)
})

test('an address invented by a client is not', async () => {
  const caller = await behindProxy.signInWith(onlyFromInside)
  // The proxy appends the address that it sees to what the client sent.
  expect(await statuses(behindProxy, caller, forwarded(`${INSIDE}, 192.0.2.1`))).toEqual(refused)
  const other = await direct.signInWith(onlyFromInside)
  expect(await statuses(direct, other, forwarded(INSIDE))).toEqual(refused)
})

ownStore.test('the embedded store believes its own console alone', async () => {
  const { accessKey: accessKeyId, secretKey: secretAccessKey } = await direct.newUser(onlyFromInside)
  const Bucket = await direct.newBucket()
  const endpoint = direct.serverUrl
  const credentials = { accessKeyId, secretAccessKey }
  const s3 = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials, maxAttempts: 1 })
  const headers = { ...forwarded(INSIDE), 'x-stowage-console': 'guessed' }
  s3.middlewareStack.add(
    (next) => (args) => {
      Object.assign((args.request as { headers: object }).headers, headers)
      return next(args)
    },
    { step: 'build' },
  )
  await expect(s3.send(new ListObjectsV2Command({ Bucket }))).rejects.toMatchObject({ name: 'AccessDenied' })
  s3.destroy()
})
