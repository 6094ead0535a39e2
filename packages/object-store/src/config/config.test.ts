import { beforeEach, describe, expect, test } from 'vitest'
import { StoreConfig } from './config.ts'
import type { ConfigSubsystem } from './config-key.ts'
import { CONFIG_REGISTRY } from './config-registry.ts'
import { parseDurationMs } from './value-types.ts'

const HOOK: ConfigSubsystem = {
  name: 'hook',
  help: 'a subsystem with targets',
  multipleTargets: true,
  dynamic: false,
  keys: [
    { name: 'endpoint', type: 'url', help: 'an address', default: '', required: true },
    { name: 'token', type: 'string', help: 'a secret', default: '', secret: true },
    { name: 'limit', type: 'number', help: 'a number', default: '10' },
    { name: 'client_cert', type: 'path', help: 'a file', default: '' },
    { name: 'client_cert_key', type: 'path', help: 'a file', default: '' },
  ],
}
const registry = [...CONFIG_REGISTRY, HOOK]

/** In-memory documents, in place of the engine's. */
class Documents {
  readonly all = new Map<string, string>()
  listDocuments(collection: string) {
    return [...this.all].flatMap(([key, value]) => {
      const [of, name = ''] = key.split('\0')
      return of === collection ? [{ name, value }] : []
    })
  }
  async putDocuments(changes: { collection: string; name: string; value: string | undefined }[]) {
    for (const { collection, name, value } of changes) {
      if (value === undefined) this.all.delete(`${collection}\0${name}`)
      else this.all.set(`${collection}\0${name}`, value)
    }
  }
}

let documents: Documents
let config: StoreConfig
const open = (environment: Record<string, string> = {}) => new StoreConfig({ documents, registry, environment })
beforeEach(() => {
  documents = new Documents()
  config = open()
})
const code = (name: string) => expect.objectContaining({ code: name })

describe('values', () => {
  test('are set, kept, and put back', async () => {
    expect(config.values('api').requests_max).toBe('0')
    expect(await config.set('api requests_max=7', 'root')).toBe(true)
    expect(config.values('api').requests_max).toBe('7')
    expect(open().values('api').requests_max).toBe('7')
    expect(await config.delete('api requests_max', 'root')).toBe(true)
    expect(open().values('api').requests_max).toBe('0')
  })

  test('wait for a restart where a subsystem is not dynamic', async () => {
    expect(await config.set('site region=eu-1', 'root')).toBe(false)
    expect(await config.set('api requests_max=1\nsite region=eu-2', 'root')).toBe(false)
  })

  test('of the environment go before stored ones, and these before defaults', async () => {
    await config.set('api requests_max=7 stale_uploads_expiry=2h', 'root')
    const { requests_max, stale_uploads_expiry, cors_allow_origin } = open({ MINIO_API_REQUESTS_MAX: '3' }).values(
      'api',
    )
    expect([requests_max, stale_uploads_expiry, cors_allow_origin]).toEqual(['3', '2h', '*'])
  })

  test('that are not good give way to the next ones, and are shown', async () => {
    await config.set('api requests_max=7', 'root')
    const other = open({ MINIO_API_REQUESTS_MAX: 'many', MINIO_SITE_REGION: 'no region' })
    expect(other.values('api').requests_max).toBe('7')
    expect(other.values('site').region).toBe('')
    expect(other.problems()).toEqual([
      'MINIO_SITE_REGION: region must contain only letters, digits and "-"; this value is not used',
      'MINIO_API_REQUESTS_MAX: requests_max must be a whole number; this value is not used',
    ])
    expect(other.text('api')).toContain('# MINIO_API_REQUESTS_MAX: requests_max must be a whole number')
  })

  test.each([
    ['nonsense a=1', 'XMinioConfigError'],
    ['constructor a=1', 'XMinioConfigError'],
    ['api', 'XMinioConfigError'],
    ['', 'XMinioConfigError'],
    ['# api requests_max=1', 'XMinioConfigError'],
    ['api nonsense=1', 'XMinioConfigError'],
    ['api requests_max=7 bogus=1', 'XMinioConfigError'],
    ['api __proto__=1', 'XMinioConfigError'],
    ['api:second requests_max=1', 'XMinioConfigError'],
    ['api requests_max=1 requests_max=2', 'XMinioAdminConfigDuplicateKeys'],
    ['hook:a endpoint=http://h\nhook:a limit=1', 'XMinioAdminConfigDuplicateKeys'],
    ['api requests_max=-1', 'XMinioAdminConfigBadJSON'],
    ['api requests_max=1e3', 'XMinioAdminConfigBadJSON'],
    ['api requests_max=99999999', 'XMinioAdminConfigBadJSON'],
    ['api root_access=maybe', 'XMinioAdminConfigBadJSON'],
    ['api stale_uploads_cleanup_interval=1ms', 'XMinioAdminConfigBadJSON'],
    ['scanner speed=warp', 'XMinioAdminConfigBadJSON'],
    ['hook:a endpoint=file:///etc/passwd', 'XMinioAdminConfigBadJSON'],
    ['hook:a limit=1', 'XMinioAdminConfigBadJSON'],
    ['site comment=a\u0007b', 'XMinioAdminConfigBadJSON'],
  ])('%j is refused and changes nothing', async (text, expected) => {
    await expect(config.set(text, 'root')).rejects.toThrow(code(expected))
    expect(documents.all.size).toBe(0)
  })

  test('a guard can refuse a change', async () => {
    config.guard('api', ({ root_access }) => (root_access === 'off' ? 'nobody else is there' : undefined))
    await expect(config.set('api root_access=off', 'root')).rejects.toThrow('api: nobody else is there')
    await config.set('api root_access=on', 'root')
  })

  test('listeners hear of a change when it is stored', async () => {
    const heard: (string | undefined)[] = []
    config.onChange('api', () => heard.push(open().values('api').requests_max))
    await config.set('api requests_max=4', 'root')
    await config.set('site name=x', 'root')
    expect(heard).toEqual(['4'])
  })
})

describe('targets', () => {
  test('are switched on by a change, off by their key, and merge with what they were', async () => {
    await config.set('hook:one endpoint=http://h/1 token=secret', 'root')
    await config.set('hook:one limit=5', 'root')
    expect(config.values('hook', 'one')).toMatchObject({
      enable: 'on',
      endpoint: 'http://h/1',
      token: 'secret',
      limit: '5',
    })
    await config.set('hook:one enable=off', 'root')
    expect(config.text('hook:one')).toBe(
      'hook:one enable=off endpoint=http://h/1 limit=5 client_cert= client_cert_key= \n',
    )
    expect(config.targets('hook')).toEqual(['_', 'one'])
  })

  test('come from the environment as well', () => {
    const other = open({
      MINIO_HOOK_ENABLE_PRIMARY: 'on',
      MINIO_HOOK_ENDPOINT_PRIMARY: 'http://h/x',
      MINIO_HOOK_TOKEN_PRIMARY: 'secret',
      MINIO_HOOK_CLIENT_CERT_KEY: '/certs/key.pem',
      MINIO_HOOK_LIMIT: '',
      'MINIO_HOOK_LIMIT_A B': '1',
    })
    expect(other.targets('hook')).toEqual(['_', 'PRIMARY'])
    expect(other.values('hook', 'PRIMARY')).toMatchObject({ enable: 'on', endpoint: 'http://h/x', token: 'secret' })
    expect(other.values('hook')).toMatchObject({ client_cert: '', client_cert_key: '/certs/key.pem' })
    expect(other.text('hook:PRIMARY')).toBe(
      '# MINIO_HOOK_ENABLE_PRIMARY=on\n# MINIO_HOOK_ENDPOINT_PRIMARY=http://h/x\nhook:PRIMARY \n',
    )
  })

  test('that do not exist are not shown or removed', async () => {
    expect(() => config.text('hook:none')).toThrow(code('XMinioConfigError'))
    await expect(config.delete('hook:none', 'root')).rejects.toThrow(code('XMinioConfigNotFoundError'))
    await expect(config.delete('hook:_ nonsense', 'root')).rejects.toThrow(code('XMinioConfigError'))
  })

  test('keep a key that they need', async () => {
    await config.set('hook:one endpoint=http://h/1', 'root')
    await expect(config.delete('hook:one endpoint', 'root')).rejects.toThrow('endpoint must not be empty')
    await config.delete('hook:one', 'root')
    expect(config.targets('hook')).toEqual(['_'])
  })

  test('are at most 100', async () => {
    for (let n = 0; n < 100; n++) await config.set(`hook:t${n} endpoint=http://h`, 'root')
    await expect(config.set('hook:more endpoint=http://h', 'root')).rejects.toThrow(code('XMinioConfigError'))
    await config.set('hook:t1 limit=1', 'root')
  })
})

describe('secrets', () => {
  test('leave by no text', async () => {
    await config.set('hook:one endpoint=http://h/1 token=topsecret', 'root')
    const texts = [config.text('hook'), config.fullText(), JSON.stringify(config.history())]
    for (const text of texts) expect(text).not.toContain('topsecret')
    // An empty secret is shown as empty.
    expect(config.text('hook:_')).toContain(' token= ')
  })

  test('stay with a full set and a restore that do not name them', async () => {
    await config.set('hook:one endpoint=http://h/1 token=topsecret', 'root')
    const [entry] = config.history()
    await config.setFull(config.fullText(), 'root')
    expect(config.values('hook', 'one').token).toBe('topsecret')
    await config.set('hook:one endpoint=http://h/2', 'root')
    await config.restore(entry?.id ?? '', 'root')
    expect(config.values('hook', 'one')).toMatchObject({ endpoint: 'http://h/1', token: 'topsecret' })
  })
})

describe('the full text', () => {
  test('sets everything, and what it does not name goes back', async () => {
    await config.set('api requests_max=7\nsite name=a', 'root')
    const text = config.fullText()
    await config.set('api requests_max=8\nhook:one endpoint=http://h', 'root')
    await config.setFull(text, 'root')
    expect(config.fullText()).toBe(text)
    expect(config.targets('hook')).toEqual(['_'])
  })

  test('has targets that are off as comments', async () => {
    await config.set('hook:one endpoint=http://h enable=off', 'root')
    expect(config.fullText()).toContain('\n# hook:one enable=off endpoint=http://h')
  })
})

describe('the history', () => {
  test('has each change with its time and user, and gives it back', async () => {
    await config.set('api requests_max=1', 'alice')
    await config.set('api requests_max=2 cors_allow_origin=https://x', 'bob')
    await config.delete('api', 'carol')
    const entries = open().history()
    expect(entries.map(({ data, user }) => [data, user])).toEqual([
      ['api requests_max=1 \n', 'alice'],
      ['api requests_max=2 cors_allow_origin=https://x \n', 'bob'],
      ['api \n', 'carol'],
    ])
    await config.restore(entries[0]?.id ?? '', 'root')
    expect(config.values('api')).toMatchObject({ requests_max: '1', cors_allow_origin: '*' })
    await config.restore(entries[2]?.id ?? '', 'root')
    expect(config.values('api').requests_max).toBe('0')
  })

  test('is cleared one by one or whole, and what is not there cannot be restored', async () => {
    for (const n of [1, 2, 3]) await config.set(`api requests_max=${n}`, 'root')
    await config.clearHistory(config.history()[0]?.id ?? '')
    expect(config.history()).toHaveLength(2)
    await config.clearHistory('all')
    await config.clearHistory('all')
    expect(open().history()).toEqual([])
    await expect(config.restore('none', 'root')).rejects.toThrow(code('XMinioConfigNotFoundError'))
    await expect(config.clearHistory('none')).rejects.toThrow(code('XMinioConfigNotFoundError'))
  })

  test('does not restore a value that is refused now', async () => {
    await config.set('api root_access=off', 'root')
    await config.set('api root_access=on', 'root')
    config.guard('api', ({ root_access }) => (root_access === 'off' ? 'nobody else is there' : undefined))
    await expect(config.restore(config.history()[0]?.id ?? '', 'root')).rejects.toThrow('nobody else is there')
  })

  test('forgets the oldest of more than 1,000', async () => {
    for (let n = 0; n < 1000; n++) {
      documents.all.set(`config-history\0id${n}`, JSON.stringify({ at: n, data: `api requests_max=${n} \n`, user: '' }))
    }
    const full = open()
    await full.set('api requests_max=5', 'root')
    expect(full.history()).toHaveLength(1000)
    expect(full.history()[0]?.id).toBe('id1')
  })
})

test('two changes at the same time both count', async () => {
  await Promise.all([config.set('api requests_max=1', 'a'), config.set('api stale_uploads_expiry=1h', 'b')])
  expect(config.values('api')).toMatchObject({ requests_max: '1', stale_uploads_expiry: '1h' })
})

test.each([
  ['24h', 86_400_000],
  ['1h30m', 5_400_000],
  ['7d', 604_800_000],
  ['250ms', 250],
  ['0', 0],
  ['', undefined],
  ['5', undefined],
  ['1x', undefined],
  ['h', undefined],
  ['1h ', undefined],
])('the duration %j is %s ms', (text, ms) => {
  expect(parseDurationMs(text)).toBe(ms)
})

test('a text is checked as a whole, and nothing of it is set', () => {
  const text =
    '# a comment\napi requests_max=many\nscanner speed=fast\nhook:one endpoint=nowhere limit=x\ncache a=b\nsite "'
  expect(config.check(text)).toEqual([
    { target: 'api', message: 'api: requests_max must be a whole number' },
    { target: 'hook:one', message: expect.stringContaining('endpoint must be an address') },
    { target: 'cache', message: 'unknown sub-system cache' },
    { target: 'site', message: expect.any(String) },
  ])
  expect(config.values('scanner').speed).toBe('default')
})
