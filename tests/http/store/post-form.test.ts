import { createHmac } from 'node:crypto'
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { beforeAll, expect, test } from 'vitest'
import { sharedConsole } from '../../support/console/shared-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

let c: TestTarget
beforeAll(async () => {
  c = await sharedConsole()
})

type Condition = Record<string, string> | [string, string | number, string | number]

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** The fields of a form for browser uploads to S3. */
function signedFields(bucket: string, conditions: Condition[], fields: Record<string, string>): Record<string, string> {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const scope = [stamp.slice(0, 8), 'us-east-1', 's3', 'aws4_request']
  const signing = {
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    'x-amz-credential': [c.rootUser, ...scope].join('/'),
    'x-amz-date': stamp,
  }
  const document = {
    expiration: new Date(Date.now() + 600_000).toISOString(),
    conditions: [{ bucket }, ...conditions, ...Object.entries(signing).map(([name, value]) => ({ [name]: value }))],
  }
  const policy = Buffer.from(JSON.stringify(document)).toString('base64')
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${c.rootPassword}`)
  return { ...fields, ...signing, policy, 'x-amz-signature': hmac(key, policy).toString('hex') }
}

async function post(bucket: string, fields: Record<string, string>, content: string): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([content], { type: 'text/plain' }), 'chosen.txt')
  return await fetch(`${c.serverUrl}/${bucket}`, { method: 'POST', body: form, redirect: 'manual' })
}

const conditions: Condition[] = [
  ['starts-with', '$key', 'in/'],
  ['content-length-range', 3, 10],
]

test('a form with a signed policy stores files that the policy allows', async () => {
  const Bucket = await c.newBucket()
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder of S3's forms
  const fields = signedFields(Bucket, conditions, { key: 'in/${filename}' })
  const response = await post(Bucket, fields, 'content')
  expect(response.status).toBe(204)
  const { Body } = await c.s3.send(new GetObjectCommand({ Bucket, Key: 'in/chosen.txt' }))
  expect(await Body?.transformToString()).toBe('content')
})

test('the answer is 201 with the location, or a redirect, as the form requests', async () => {
  const Bucket = await c.newBucket()
  const status = signedFields(Bucket, [...conditions, { success_action_status: '201' }], {
    key: 'in/a',
    success_action_status: '201',
  })
  const created = await post(Bucket, status, 'content')
  expect([created.status, await created.text()]).toEqual([201, expect.stringContaining('<Key>in/a</Key>')])
  const target = 'http://127.0.0.1:9/done'
  const redirect = signedFields(Bucket, [...conditions, { success_action_redirect: target }], {
    key: 'in/b',
    success_action_redirect: target,
  })
  const moved = await post(Bucket, redirect, 'content')
  expect(moved.status).toBe(303)
  expect(moved.headers.get('location')).toContain(target)
})

test.each([
  ['a key elsewhere', { key: 'out/a' }, 'content', 403, 'AccessDenied'],
  ['too much content', { key: 'in/a' }, 'far too much content', 400, 'EntityTooLarge'],
  ['too little content', { key: 'in/a' }, 'x', 400, 'EntityTooSmall'],
  ['another signature', { key: 'in/a', 'x-amz-signature': '0'.repeat(64) }, 'content', 403, 'SignatureDoesNotMatch'],
] as const)('%s is refused, and nothing is stored', async (_, fields, content, status, code) => {
  const Bucket = await c.newBucket()
  const response = await post(Bucket, { ...signedFields(Bucket, conditions, {}), ...fields }, content)
  expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(`<Code>${code}</Code>`)])
  expect((await c.s3.send(new ListObjectsV2Command({ Bucket }))).KeyCount).toBe(0)
})
