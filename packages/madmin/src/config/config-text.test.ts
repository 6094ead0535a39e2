import { describe, expect, test } from 'vitest'
import { readTier, wireTier } from '../buckets/tiers.ts'
import { readServerInfo } from '../servers/server-info.ts'
import { findUnreadableLines, findUnsendable, formatConfigLine, readConfigText } from './config-text.ts'

describe('the text of a configuration', () => {
  test('has unreadable lines, which are counted from 1', () => {
    const text =
      '# a comment\nsite region=a b\nSITE region=a\n\nhello world\nnotify_nsq:one topic="a b" enable=off \nsite'
    expect(findUnreadableLines(text)).toEqual([2, 3, 5])
  })

  test.each([
    ['open quotes', 'a=" x '],
    ['letters', 'a'],
    ['quotes', '" '],
    ['blanks', ' '],
  ])('is read in linear time, also of a MiB of %s', (_, part) => {
    const begun = performance.now()
    readConfigText(`site ${part.repeat((1 << 20) / part.length)}!`)
    expect(performance.now() - begun).toBeLessThan(2000)
  })

  test('of MinIO 2025, with overrides and quotes', () => {
    const [api, one, bare] = readConfigText(
      '# MINIO_API_REQUESTS_MAX=5\napi requests_max=0 cors_allow_origin=* \n' +
        '# MINIO_NOTIFY_WEBHOOK_QUEUE_DIR_one=/q x\nnotify_webhook:one enable=off endpoint=http://h/?a=b comment="it\'s "quoted" text" queue_dir= \n' +
        'notify_webhook:PRIMARY \n',
    )
    expect(api?.environment.get('requests_max')).toEqual({ variable: 'MINIO_API_REQUESTS_MAX', value: '5' })
    expect([...(api?.values ?? [])]).toEqual([
      ['requests_max', '0'],
      ['cors_allow_origin', '*'],
    ])
    expect(one?.environment.get('queue_dir')).toEqual({ variable: 'MINIO_NOTIFY_WEBHOOK_QUEUE_DIR_one', value: '/q x' })
    expect(Object.fromEntries(one?.values ?? [])).toEqual({
      enable: 'off',
      endpoint: 'http://h/?a=b',
      comment: 'it\'s "quoted" text',
      queue_dir: '',
    })
    expect([bare?.target, bare?.values.size]).toEqual(['PRIMARY', 0])
  })

  test('of 2021 without a line end, and of our store with notes', () => {
    expect(readConfigText('region name=').map(({ values }) => [...values])).toEqual([[['name', '']]])
    const [api] = readConfigText('# api: requests_max must be a number\napi a="say ""hi""" \n')
    expect([api?.notes, api?.values.get('a')]).toEqual([['api: requests_max must be a number'], 'say "hi"'])
  })

  test('of an export, in which disabled targets are comments', () => {
    const all = readConfigText('# callhome enable=off frequency=24h \nsite name= \n')
    expect(all.map(({ subsystem, isComment }) => [subsystem, isComment])).toEqual([
      ['callhome', true],
      ['site', false],
    ])
  })
})

test('a line names its target, and quotes every value', () => {
  expect(formatConfigLine('api', '_', [['a', 'b c']])).toBe('api a="b c"')
  expect(formatConfigLine('notify_webhook', 'one', [['a', '']])).toBe('notify_webhook:one a=""')
})

test.each([
  ['plain', undefined],
  ['a "b"', { why: 'quote' }],
  ["'a'", { why: 'quote' }],
  ["it's", undefined],
  ['a\nb', { why: 'control' }],
  ['http://h/x?queue_limit=5', { why: 'key', key: 'queue_limit' }],
  ['http://h/x?limit=5', undefined],
])('%j can be sent, or is refused with a reason', (value, why) => {
  expect(findUnsendable(value, ['endpoint', 'queue_limit'])).toEqual(why)
})

test('a tier is read in the forms of 2021 and 2025, and with an unknown type', () => {
  const place = { Endpoint: 'https://e', Bucket: 'b', Prefix: 'p', Region: 'r', AccessKey: 'a', SecretKey: 'REDACTED' }
  const read = { endpoint: 'https://e', bucket: 'b', prefix: 'p', region: 'r', storageClass: '', accessKey: 'a' }
  const empty = { Azure: {}, GCS: {}, MinIO: {} }
  expect(readTier({ Version: 'v1', Type: 's3', Name: 'COLD', S3: place, ...empty })).toEqual({
    type: 's3',
    name: 'COLD',
    ...read,
  })
  expect(readTier({ Type: 's3', S3: { ...place, Name: 'COLD' } }).name).toBe('COLD')
  expect(readTier({ Type: 'tape', Name: 'T' })).toMatchObject({ type: 'unsupported', name: 'T' })
  expect(readTier({ Type: 'constructor' }).type).toBe('unsupported')
})

test('a new tier has one object, named by its type', () => {
  const place = { name: 'A', endpoint: 'e', bucket: 'b', prefix: '', region: '', storageClass: '' }
  expect(wireTier({ type: 'azure', ...place, accountName: 'n', accountKey: 'k' })).toEqual({
    Version: 'v1',
    Type: 'azure',
    Name: 'A',
    Azure: { Endpoint: 'e', Bucket: 'b', Prefix: '', Region: '', StorageClass: '', AccountName: 'n', AccountKey: 'k' },
  })
})

test('the states of notification targets', () => {
  const notifications = [
    { webhook: [{ one: { status: 'Online', queued: 3, lastError: 'x' } }] },
    { postgresql: [{ _: { status: 'offline' } }] },
  ]
  expect(readServerInfo({ services: { notifications } }).notifications).toEqual([
    { service: 'webhook', target: 'one', status: 'online', queued: 3, lastError: 'x' },
    { service: 'postgresql', target: '_', status: 'offline' },
  ])
})
