import { expect, test } from 'vitest'
import { ConfigError, readConfig, settingsHelp } from './config.ts'
import { consoleSettings, goDurationHours, ORIGINAL_NAMES } from './settings.ts'

const configErrorMessage = (environment: Record<string, string>): string => {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error('the settings were accepted')
}

test('nothing set gives the defaults: this machine only, and the embedded store', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 9090,
    server: undefined,
    sessionSeconds: 43_200,
    proxies: 0,
    secrets: undefined,
    store: { host: '127.0.0.1', root: { accessKey: undefined, secretKey: undefined } },
  })
})

test('an empty variable is unset', () => {
  expect(readConfig({ STOWAGE_PORT: '', STOWAGE_SERVER: '', CONSOLE_PORT: '' })).toMatchObject({ port: 9090 })
})

test.each([
  [{ STOWAGE_PORT: '9191' }, { port: 9191 }],
  [{ STOWAGE_SESSION_HOURS: '0.5' }, { sessionSeconds: 1800 }],
  [{ STOWAGE_TRUST_PROXY: 'on' }, { proxies: 1 }],
  [{ STOWAGE_TRUST_PROXY: 'no' }, { proxies: 0 }],
  [{ STOWAGE_TRUST_PROXY: '2' }, { proxies: 2 }],
  [{ STOWAGE_SECRET: 'first-secret-1234, second-secret-123' }, { secrets: ['first-secret-1234', 'second-secret-123'] }],
  [{ CONSOLE_PORT: '9292' }, { port: 9292 }],
  [{ CONSOLE_PORT: '9292', STOWAGE_PORT: '9393' }, { port: 9393 }],
  [{ CONSOLE_STS_DURATION: '2h45m' }, { sessionSeconds: 9900 }],
  [{ CONSOLE_STS_DURATION: '2h', CONSOLE_STS_DURATION_SECONDS: '3600' }, { sessionSeconds: 3600 }],
  [{}, { region: 'us-east-1', egress: { networks: 'private', allow: [] } }],
  [{ STOWAGE_EGRESS: 'public' }, { egress: { networks: 'public' } }],
  [{ STOWAGE_EGRESS_ALLOW: 'db.example:5432, ' }, { egress: { allow: [{ name: 'db.example', port: 5432 }] } }],
  [{ CONSOLE_MINIO_REGION: 'eu-west-1' }, { region: 'eu-west-1' }],
])('%j is read', (environment, expected) => expect(readConfig(environment)).toMatchObject(expected))

test('the server is an address without a path', () => {
  expect(readConfig({ STOWAGE_SERVER: 'https://s3.example.com:9000/' }).server?.origin).toBe(
    'https://s3.example.com:9000',
  )
  expect(readConfig({ CONSOLE_MINIO_SERVER: 'http://minio:9000' }).server?.origin).toBe('http://minio:9000')
})

test.each([
  [{ STOWAGE_PORT: '99999' }, /^STOWAGE_PORT is "99999": /],
  [{ STOWAGE_EGRESS: 'all' }, /^STOWAGE_EGRESS is "all": must be private or public/],
  [{ STOWAGE_EGRESS_ALLOW: '10.0.0.0/8,http://x' }, /^STOWAGE_EGRESS_ALLOW .*http:\/\/x is not an address, a range/],
  [{ STOWAGE_PORT: 'abc' }, /^STOWAGE_PORT is "abc": must be a port number/],
  [{ CONSOLE_PORT: 'abc' }, /^CONSOLE_PORT is "abc": /],
  [{ STOWAGE_SERVER: 'minio:9000' }, /^STOWAGE_SERVER is "minio:9000": must be a URL that starts with http/],
  [{ STOWAGE_SERVER: 'http://h/path' }, /^STOWAGE_SERVER .*only scheme, host and port/],
  [{ STOWAGE_TRUST_PROXY: 'maybe' }, /^STOWAGE_TRUST_PROXY is "maybe": must be on, off, or the number of proxies/],
  [{ STOWAGE_SESSION_HOURS: '0' }, /^STOWAGE_SESSION_HOURS is "0"/],
  [{ CONSOLE_STS_DURATION: 'long' }, /^CONSOLE_STS_DURATION is "long": must be a number of hours/],
  [{ STOWAGE_SECRET: 'short' }, /^STOWAGE_SECRET is \(not shown\): must have at least 16/],
  [
    { STOWAGE_DATABASE_URL: 'mysql://u:planted@db/x' },
    /^STOWAGE_DATABASE_URL is \(not shown\): must be a URL such as postgres:/,
  ],
  [{ STOWAGE_LICENSE_URL: 'https://l.example' }, /^STOWAGE_LICENSE_URL is .*together with STOWAGE_LICENSE_KEY/],
  [{ STOWAGE_TLS_CERT: 'a.pem' }, /^STOWAGE_TLS_CERT .*STOWAGE_TLS_KEY/],
  [{ STOWAGE_PROT: '1' }, /^STOWAGE_PROT is not a setting\. Did you mean STOWAGE_PORT\?/],
  [
    { STOWAGE_ZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZ: '1' },
    /^STOWAGE_ZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZ is not a setting\. Run with --help/,
  ],
])('%j is refused, saying what is allowed', (environment, message) => {
  expect(configErrorMessage(environment)).toMatch(message)
})

test.each([
  [
    { CONSOLE_PBKDF_PASSPHRASE: 'SECRET', CONSOLE_PBKDF_SALT: 'SECRET' },
    { secrets: [expect.stringMatching(/^\w{64}$/)] },
    /CONSOLE_PBKDF_PASSPHRASE has fewer/,
  ],
  [{ CONSOLE_STS_DURATION: '10m' }, { sessionSeconds: 900 }, /CONSOLE_STS_DURATION .*0\.25 hours/],
  [{ CONSOLE_STS_DURATION_SECONDS: '0' }, { sessionSeconds: 900 }, /CONSOLE_STS_DURATION_SECONDS/],
  [{ CONSOLE_STS_DURATION: '100000h' }, { sessionSeconds: 8760 * 3600 }, /8760 hours/],
  [
    { CONSOLE_MINIO_SERVER: ' http://minio:9000/x?y ' },
    { server: new URL('http://minio:9000') },
    /CONSOLE_MINIO_SERVER has a path/,
  ],
])('%j of the original is accepted with one warning', (environment, expected, warning) => {
  const config = readConfig(environment)
  expect(config).toMatchObject(expected)
  expect(config.warnings).toEqual([expect.stringMatching(warning)])
  expect(config.warnings.join()).not.toContain('SECRET:')
})

test('correct settings cause no warning, and our own name takes precedence', () => {
  const long = { CONSOLE_PBKDF_PASSPHRASE: 'a passphrase, with a comma' }
  expect(readConfig(long)).toMatchObject({ secrets: [expect.stringMatching(/^\w{64}$/)], warnings: [] })
  expect(readConfig({ CONSOLE_PBKDF_PASSPHRASE: 'first-secret-1234' })).toMatchObject({
    secrets: ['first-secret-1234'],
  })
  const both = { CONSOLE_PBKDF_PASSPHRASE: 'SECRET', STOWAGE_SECRET: 'first-secret-1234' }
  expect(readConfig(both)).toMatchObject({ secrets: ['first-secret-1234'], warnings: [] })
})

test('the same passphrase always gives the same key, a different one a different key', () => {
  const key = (CONSOLE_PBKDF_PASSPHRASE: string) => readConfig({ CONSOLE_PBKDF_PASSPHRASE }).secrets?.[0]
  expect(key('SECRET')).toBe(key('SECRET'))
  expect(key('SECRET')).not.toBe(key('SECRET2'))
})

test('the store gets its settings and no other variables', () => {
  const { store } = readConfig({
    PATH: '/bin',
    HOME: '/root',
    AWS_SECRET: 'x',
    STOWAGE_MIN_FREE: '1MiB',
    STOWAGE_PORT: '1',
  })
  expect(store.environment).toEqual({ PATH: '/bin', HOME: '/root', STOWAGE_MIN_FREE: '1MiB' })
})

const PROXIED = { STOWAGE_MODE: 'operator', STOWAGE_KUBE_SERVER: 'https://kube.example:6443' }
test.each([
  ['https://{tenant}.tenants.example.com', 'https://console.example.com/stowage'],
  ['https://tenants.example.com', 'https://console.example.com'],
  ['https://console.example.com:8443', 'https://console.example.com'],
  ['http://192.0.2.1:9091', 'http://192.0.2.1:9090'],
])("tenants' consoles are shown at %s beside %s", (STOWAGE_PROXY_URL, STOWAGE_PUBLIC_URL) => {
  const { operator } = readConfig({ ...PROXIED, STOWAGE_PROXY_URL, STOWAGE_PUBLIC_URL, STOWAGE_PORT: '8000' })
  expect(operator?.proxy).toEqual({ port: 8001, url: STOWAGE_PROXY_URL })
})

test.each([
  ['https://{tenant}.tenants.example.org', 'https://console.example.com', /must be of the same site/],
  ['http://tenants.example.com', 'https://console.example.com', /must be of the same site/],
  ['http://192.0.2.2:9091', 'http://192.0.2.1:9090', /must be of the same site/],
  ['https://tenants.co.uk', 'https://console.co.uk', /must be of the same site/],
  ['https://tenants.github.io', 'https://console.github.io', /must be of the same site/],
  ['https://console.example.com', 'https://console.example.com', /must differ from STOWAGE_PUBLIC_URL/],
  ['https://{tenant}.example.com', undefined, /STOWAGE_PUBLIC_URL is not set/],
  ['https://tenants.example.com/path', 'https://console.example.com', /must be a URL without a path/],
  ['https://x.{tenant}.example.com', 'https://console.example.com', /must be a URL without a path/],
  ['https://{tenant}.example.com;script-src', 'https://console.example.com', /must be a URL without a path/],
])("tenants' consoles are not shown at %s beside %s", (STOWAGE_PROXY_URL, STOWAGE_PUBLIC_URL, message) => {
  const given = { ...PROXIED, STOWAGE_PROXY_URL, STOWAGE_PUBLIC_URL }
  expect(() => readConfig(given)).toThrow(message)
})

test('the help names every setting, its default and the original names', () => {
  const help = settingsHelp()
  for (const name of [...Object.keys(consoleSettings), ...Object.keys(ORIGINAL_NAMES), 'STOWAGE_DRIVES'])
    expect(help).toContain(name)
  expect(help).toContain('STOWAGE_PORT (9090)')
})

test.each([
  ['1h', 1],
  ['90m', 1.5],
  ['1h30m', 1.5],
  ['1800s', 0.5],
  ['1.5h', 1.5],
  ['+.5h30m0.0s', 1],
  ['3600000ms', 1],
  ['1h µs', Number.NaN],
  ['-1h', Number.NaN],
  ['', Number.NaN],
  ['12', Number.NaN],
])('the duration %j is %d hours', (text, hours) => expect(goDurationHours(text)).toBe(hours))
