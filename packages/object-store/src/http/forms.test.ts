import { connect } from 'node:net'
import { type PostPolicyFields, signPostPolicy } from '@stowage/sigv4'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exchange, REGION, ROOT, startTestStore, type TestStore } from './testing.ts'

let store: TestStore
beforeAll(async () => {
  store = await startTestStore()
  await store.engine.createBucket('forms')
})
afterAll(() => store[Symbol.asyncDispose]())

type Condition = Record<string, string> | [string, string | number, string | number]

function policyFields(conditions: Condition[], expiration = new Date(Date.now() + 60_000), secretKey = ROOT.secretKey) {
  const document = (fields: Omit<PostPolicyFields, 'policy' | 'x-amz-signature'>) =>
    JSON.stringify({
      expiration: expiration.toISOString(),
      conditions: [{ bucket: 'forms' }, ...Object.entries(fields).map(([k, v]) => ({ [k]: v })), ...conditions],
    })
  return signPostPolicy(document, { credentials: { ...ROOT, secretKey }, region: REGION })
}

function post(fields: Record<string, string>, file: string | undefined, filename = 'file.txt') {
  const boundary = '----form'
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  if (file !== undefined) {
    parts.push(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\n` +
        `Content-Type: text/plain\r\n\r\n${file}\r\n`,
    )
  }
  const body = Buffer.from(`${parts.join('')}--${boundary}--\r\n`)
  return exchange(
    store.port,
    'POST',
    '/forms',
    {
      host: `127.0.0.1:${store.port}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(body.length),
    },
    body,
  )
}

test('a form signed with version 2 is refused, and told what to do', async () => {
  const { policy } = policyFields([{ key: 'v2' }])
  const answer = await post({ key: 'v2', AWSAccessKeyId: ROOT.accessKey, policy, signature: 'c2lnbmF0dXJl' }, 'content')
  expect([answer.status, answer.code]).toEqual([400, 'InvalidRequest'])
  expect(answer.text).toMatch(/AWS4-HMAC-SHA256.*signature_version s3v4/)
  expect((await store.send({ path: '/forms/v2' })).code).toBe('NoSuchKey')
})

describe('form uploads', () => {
  test('are stored under their key, with metadata', async () => {
    const conditions: Condition[] = [['starts-with', '$key', 'up/'], { 'x-amz-meta-color': 'grün' }]
    const answer = await post(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder of S3's forms
      { key: 'up/${filename}', 'x-amz-meta-color': 'grün', ...policyFields(conditions) },
      'content',
      'näme.txt',
    )
    expect(answer.status).toBe(204)
    const read = await store.send({ path: '/forms/up/näme.txt' })
    expect(read.text).toBe('content')
    expect(read.headers['content-type']).toBe('text/plain')
    expect(read.headers['x-amz-meta-color']).toBe('=?UTF-8?q?gr=C3=BCn?=')
  })

  test('answer as the form wishes', async () => {
    const any: Condition[] = [
      ['starts-with', '$key', ''],
      ['starts-with', '$success_action_status', ''],
      ['starts-with', '$success_action_redirect', ''],
    ]
    const created = await post({ key: 'a', success_action_status: '201', ...policyFields(any) }, 'x')
    expect(created.status).toBe(201)
    expect(created.text).toContain('<PostResponse')
    expect((await post({ key: 'a', success_action_status: '200', ...policyFields(any) }, 'x')).status).toBe(200)
    const away = { key: 'a', success_action_redirect: 'http://example.test/done?x=1', ...policyFields(any) }
    const redirected = await post(away, 'x')
    expect(redirected.status).toBe(303)
    expect(redirected.headers.location).toMatch(/^http:\/\/example\.test\/done\?x=1&bucket=forms&key=a&etag=/)
  })

  test.each<[string, Record<string, string>, Condition[], number, string]>([
    ['another key', { key: 'other' }, [{ key: 'mine' }], 403, 'AccessDenied'],
    ['a key outside of the prefix', { key: 'other' }, [['starts-with', '$key', 'up/']], 403, 'AccessDenied'],
    ['a field without condition', { key: 'k', 'x-amz-meta-a': '1' }, [{ key: 'k' }], 403, 'AccessDenied'],
    ['a condition without field', { key: 'k' }, [{ key: 'k' }, { acl: 'private' }], 403, 'AccessDenied'],
    ['too long a file', { key: 'k' }, [{ key: 'k' }, ['content-length-range', 0, 3]], 400, 'EntityTooLarge'],
    ['too short a file', { key: 'k' }, [{ key: 'k' }, ['content-length-range', 8, 9]], 400, 'EntityTooSmall'],
    ['an unknown condition', { key: 'k' }, [{ key: 'k' }, ['like', '$key', 'k']], 400, 'InvalidPolicyDocument'],
    ['no key', {}, [['starts-with', '$key', '']], 400, 'InvalidArgument'],
  ])('%s is refused', async (_, fields, conditions, status, code) => {
    const answer = await post({ ...fields, ...policyFields(conditions) }, 'content')
    expect([answer.status, answer.code]).toEqual([status, code])
    expect((await store.send({ path: '/forms/k' })).code).toBe('NoSuchKey')
  })

  test('an expired policy, a wrong secret and a changed policy are refused', async () => {
    const conditions: Condition[] = [{ key: 'k' }]
    expect((await post({ key: 'k', ...policyFields(conditions, new Date(Date.now() - 1000)) }, 'x')).code).toBe(
      'AccessDenied',
    )
    expect((await post({ key: 'k', ...policyFields(conditions, undefined, 'wrongwrong') }, 'x')).code).toBe(
      'SignatureDoesNotMatch',
    )
    const fields = policyFields(conditions)
    fields.policy = Buffer.from(Buffer.from(fields.policy, 'base64').toString().replace('"k"', '"j"')).toString(
      'base64',
    )
    expect((await post({ key: 'j', ...fields }, 'x')).code).toBe('SignatureDoesNotMatch')
  })

  test('without a policy only an open bucket takes it', async () => {
    expect((await post({ key: 'k' }, 'x')).code).toBe('AccessDenied')
    const Statement = [
      { Effect: 'Allow', Principal: '*', Action: ['s3:PutObject'], Resource: ['arn:aws:s3:::forms/open/*'] },
    ]
    await store.engine.setBucketSetting('forms', 'policy', JSON.stringify({ Version: '2012-10-17', Statement }))
    expect((await post({ key: 'open/k' }, 'x')).status).toBe(204)
    expect((await post({ key: 'k' }, 'x')).code).toBe('AccessDenied')
  })

  test('a field that no header can carry is refused', async () => {
    for (const [name, value] of [
      ['x-amz-meta-a', 'one\ntwo'],
      ['x-amz-meta-a b', 'x'],
    ] as const) {
      const conditions: Condition[] = [{ key: 'k' }, ['starts-with', `$${name}`, '']]
      const answer = await post({ key: 'k', [name]: value, ...policyFields(conditions) }, 'x')
      expect(answer.code).toBe('InvalidArgument')
    }
  })

  test('a form that breaks off leaves nothing', async () => {
    const fields = Object.entries({ key: 'half', ...policyFields([{ key: 'half' }]) }).map(
      ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
    const head =
      `POST /forms HTTP/1.1\r\nHost: 127.0.0.1:${store.port}\r\nContent-Length: 10000000\r\n` +
      'Content-Type: multipart/form-data; boundary=b\r\n\r\n'
    const socket = connect(store.port, '127.0.0.1')
    socket.write(`${head}${fields.join('')}${file}${'x'.repeat(500_000)}`)
    await expect.poll(() => store.unfinished()).not.toEqual([])
    socket.destroy()
    await expect.poll(() => store.server.recorder.running).toBe(0)
    await expect.poll(() => store.unfinished()).toEqual([])
    expect((await store.send({ path: '/forms/half' })).code).toBe('NoSuchKey')
  })

  test('a form without file is refused', async () => {
    expect((await post({ key: 'k', ...policyFields([{ key: 'k' }]) }, undefined)).code).toBe(
      'IncorrectNumberOfFilesInPostRequest',
    )
  })
})
