import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { callFailure } from '../../support/console/caller.ts'
import { startConsole } from '../../support/console/start-console.ts'
import type { TestTarget } from '../../support/console/test-target.ts'

/* A separate console: other files change settings of the shared one, which would make a preview outdated. */

let c: TestTarget
let close = async () => {}
beforeAll(async () => {
  if (!inject('console').embedded) {
    const { sharedConsole } = await import('../../support/console/shared-console.ts')
    c = await sharedConsole()
    return
  }
  const own = await startConsole()
  c = own
  close = async () => await own[Symbol.asyncDispose]()
})
afterAll(() => close())

const base64 = (text: string) => Buffer.from(text).toString('base64')
const preview = (text: string) => c.call('previewConfigImport', { body: { value: base64(text) } })
const importText = (text: string, more: object = {}) =>
  c.call('importConfigs', { body: { value: base64(text), ...more } })
const set = (name: string, values: Record<string, string>, target = '_') =>
  c.call('setConfig', {
    params: { name },
    body: { key_values: Object.entries(values).map(([key, value]) => ({ key, value })), arn_resource_id: target },
  })
const reset = (name: string, target = '_') =>
  c.call('resetConfig', { params: { name }, body: { arn_resource_id: target } })
const readValue = async (name: string, key: string, target = '_') => {
  const { targets } = await c.call('getConfig', { params: { name } })
  return targets.find((each) => each.target === target)?.key_values.find((each) => each.key === key)?.value
}
const exported = async () => Buffer.from((await c.call('exportConfigs', {})).value, 'base64').toString()

test('an export is compared with what is there, and imported again', async () => {
  await set('api', { stale_uploads_expiry: '30h' })
  const text = await exported()
  expect((await preview(text)).changes).toEqual([])
  await set('api', { stale_uploads_expiry: '40h' })
  const { changes, problems, version } = await preview(text)
  expect(problems).toEqual([])
  expect(changes).toEqual([
    {
      name: 'api',
      target: '_',
      action: 'change',
      key_values: [{ key: 'stale_uploads_expiry', before: '40h', after: '30h' }],
    },
  ])
  await importText(text, { version })
  expect(await readValue('api', 'stale_uploads_expiry')).toBe('30h')
  await reset('api')
})

test('an import with a value that the server refuses changes nothing', async () => {
  await set('api', { stale_uploads_expiry: '30h' })
  const text = 'api stale_uploads_expiry=31h\nscanner speed=nonsense\n'
  // Only our own store can check values without changing anything.
  if (inject('console').embedded) {
    const { problems } = await preview(text)
    expect(problems).toEqual([
      { name: 'scanner', target: '_', message: expect.stringContaining('speed must be one of') },
    ])
  }
  const failure = await callFailure(importText(text))
  expect(failure.status).toBe(400)
  expect(await readValue('api', 'stale_uploads_expiry')).toBe('30h')
  await reset('api')
})

test('a configuration that has changed since the preview is not overwritten', async () => {
  const { version } = await preview('api stale_uploads_expiry=31h\n')
  await set('api', { stale_uploads_expiry: '32h' })
  expect((await callFailure(importText('api stale_uploads_expiry=31h\n', { version }))).status).toBe(409)
  expect(await readValue('api', 'stale_uploads_expiry')).toBe('32h')
  await reset('api')
})

test('a target that is missing in the file is kept, or removed on request; secrets are kept', async ({ skip }) => {
  const { servers } = await c.madmin.serverInfo()
  skip(
    servers.every(({ version }) => version.startsWith('2021-')),
    'servers of 2021 do not list a target before they restart',
  )
  // A webhook of the audit is not contacted when it is saved, by any server.
  await set('audit_webhook', { endpoint: 'http://127.0.0.1:9/a', auth_token: 'topsecret' }, 'one')
  await set('audit_webhook', { endpoint: 'http://127.0.0.1:9/b' }, 'two')
  const text = (await exported())
    .split('\n')
    .filter((line) => !line.includes('audit_webhook:two'))
    .join('\n')
    .replace('http://127.0.0.1:9/a', 'http://127.0.0.1:9/c')
  expect(text).not.toContain('topsecret')
  const { changes } = await preview(text)
  expect(changes.map(({ target, action }) => [target, action])).toEqual([
    ['one', 'change'],
    ['two', 'remove'],
  ])
  await importText(text)
  expect(await readValue('audit_webhook', 'endpoint', 'two')).toBe('http://127.0.0.1:9/b')
  await importText(text, { remove: true })
  const { targets } = await c.call('getConfig', { params: { name: 'audit_webhook' } })
  expect(targets.some(({ target }) => target === 'two')).toBe(false)
  const one = targets.find(({ target }) => target === 'one')
  expect(one?.key_values.find(({ key }) => key === 'auth_token')).toMatchObject({ isSet: true })
  expect(one?.key_values.find(({ key }) => key === 'endpoint')?.value).toBe('http://127.0.0.1:9/c')
  await reset('audit_webhook', 'one')
})

test.each(['# nothing\n', '\0'])('%j is not a configuration', async (text) => {
  for (const call of [preview, importText]) {
    expect((await callFailure(call(text))).body).toMatchObject({ code: 400, field: 'value' })
  }
})

test('a text that is not Base64, or larger than a body may be, is refused', async () => {
  expect((await callFailure(c.call('previewConfigImport', { body: { value: '%' } }))).status).toBe(400)
  expect((await callFailure(importText('x'.repeat(1 << 20)))).status).toBe(413)
})
