import type { ConfigHelp, Madmin } from '@stowage/madmin'
import { describe, expect, test } from 'vitest'
import { importForBrowser, importLine, planConfigImport } from './config-import-plan.ts'
import { configWithoutSecrets } from './export-config.ts'

const help = (subsystem: string, keys: string[], multipleTargets = false): ConfigHelp => ({
  subsystem,
  description: '',
  multipleTargets,
  keys: keys.map((key) => ({ key, type: 'string', description: '', optional: true, multipleTargets })),
})
const HELPS = [
  help('', ['site', 'notify_amqp']),
  help('site', ['name', 'region', 'comment']),
  help('notify_amqp', ['url', 'exchange', 'password', 'comment'], true),
]

const PRESENT = `# MINIO_SITE_NAME=rack-7
site name=rack-7 region=mars-1
# notify_amqp enable=off url= exchange=
notify_amqp:one url=amqp://u:secret@host exchange=a comment="two words"
# notify_amqp:two enable=off url=amqp://two exchange=b
`

/** Answers the read calls of a plan; `planConfigImport` makes no others. */
const server = (problems?: { target: string; message: string }[]) =>
  ({
    getFullConfig: async () => PRESENT,
    configHelp: async (name: string) => HELPS.find(({ subsystem }) => subsystem === name),
    checkConfig: async () => problems,
  }) as unknown as Madmin

const plan = (text: string) => planConfigImport(server(), text)
const planChanges = async (text: string) => (await plan(text)).imports.map(importForBrowser)
const planProblems = async (text: string) =>
  (await plan(text)).problems.map(({ target, key, reason }) => [target, key, reason?.id])

describe('an import changes', () => {
  test.each([
    ['its own export', PRESENT],
    ['an export without secrets', configWithoutSecrets(PRESENT)],
    ['the same with line ends of Windows', configWithoutSecrets(PRESENT).replaceAll('\n', '\r\n')],
  ])('nothing for %s', async (_, text) => {
    expect(await plan(text)).toMatchObject({ imports: [], problems: [] })
  })

  test('the keys that differ, and no others', async () => {
    const [change] = await planChanges('site region=venus-1\n')
    expect(change).toEqual({
      name: 'site',
      target: '_',
      action: 'change',
      key_values: [{ key: 'region', before: 'mars-1', after: 'venus-1' }],
    })
  })

  test('a new target, with the state given in the file', async () => {
    const { imports } = await plan('# notify_amqp:new enable=off url=amqp://new exchange=c\n')
    const added = imports.find(({ action }) => action === 'add')
    expect(added && importLine(added)).toBe('notify_amqp:new enable="off" url="amqp://new" exchange="c"')
  })

  test('a target that is disabled and keeps its values', async () => {
    const { imports } = await plan('# notify_amqp:one enable=off\n')
    expect(imports[0] && importLine(imports[0])).toBe('notify_amqp:one enable="off"')
  })

  test('other targets only if they are removed', async () => {
    const actions = (await planChanges('notify_amqp:two url=amqp://two exchange=b')).map(({ target, action }) => [
      target,
      action,
    ])
    expect(actions).toEqual([
      ['two', 'change'],
      ['one', 'remove'],
    ])
  })
})

describe('an import shows no secrets', () => {
  test('a password inside a value, old or new', async () => {
    const changes = await planChanges('notify_amqp:one url=amqp://u:fresh@host2 password=topsecret')
    expect(changes[0]?.key_values).toEqual([
      { key: 'url', before: 'amqp://u:@host', after: 'amqp://u:@host2', secret: true },
      { key: 'password', before: '', after: '', secret: true },
    ])
    expect(JSON.stringify(changes)).not.toMatch(/secret@|fresh|topsecret/)
  })

  test('nor does an export without them', () => {
    const text = configWithoutSecrets(`${PRESENT}notify_amqp:three password=topsecret url=amqp://u:pass@h\n`)
    expect(text).not.toMatch(/topsecret|:secret@|:pass@/)
    expect(text).toContain('notify_amqp:three url=amqp://u:@h')
  })
})

describe('an import is refused for', () => {
  test.each([
    ['a line that cannot be read', 'site region=mars-1 venus-1', [['_', undefined, 'config-line-unreadable']]],
    ['a value that is too long', `site comment=${'x'.repeat(16_385)}`, [['_', 'comment', 'config-value-long']]],
    ['a setting that the server does not have', 'cache drives=/x', [['_', undefined, 'config-unsupported']]],
    ['a key that it does not have', 'site nonsense=x', [['_', 'nonsense', 'config-key-unknown']]],
    ['a target that is named twice', 'site region=a\nsite region=b', [['_', undefined, 'config-target-twice']]],
    ['a second target where there is one', 'site:two region=a', [['two', undefined, 'config-one-target']]],
    ['a value of the environment', 'site name=other', [['_', 'name', 'config-key-locked']]],
    [
      'a changed address without its password',
      'notify_amqp:one url=amqp://u:@evil',
      [['one', 'url', 'config-password-again']],
    ],
    ['a value that would be cut', 'site comment="a region=b"', [['_', 'comment', 'config-value-key']]],
    ['quotation marks', 'site comment="a ""b"" c"', [['_', 'comment', 'config-value-quote']]],
  ])('%s', async (_, text, problems) => {
    expect(await planProblems(text)).toEqual(problems)
  })

  test.each(['', '# a comment\n', '# site region=a comment that looks like a setting\n', '\0\0'])(
    '%j, which has no settings',
    async (text) => {
      await expect(plan(text)).rejects.toMatchObject({ status: 400 })
    },
  )

  test('errors that the server reports about a line', async () => {
    const problems = [{ target: 'notify_amqp:one', message: 'no' }]
    expect((await planConfigImport(server(problems), 'notify_amqp:one exchange=c')).problems).toEqual([
      { name: 'notify_amqp', target: 'one', message: 'no' },
    ])
  })
})
