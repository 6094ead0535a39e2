import { expect, test } from 'vitest'
import { changedSettingValues, initialSettingValues, settingFields } from './setting-fields.ts'

const fields = settingFields(
  'notify_webhook',
  [
    { key: 'endpoint', value: 'http://h/x' },
    { key: 'auth_token', secret: true, isSet: true },
    { key: 'queue_dir', value: '/q', variable: 'MINIO_NOTIFY_WEBHOOK_QUEUE_DIR' },
    { key: 'comment', value: 'old' },
    { key: 'client_cert', type: 'string' },
    { key: 'jetstream', type: 'on|off', value: 'off' },
  ],
  false,
)
const start = initialSettingValues(fields)

test("a form lists its own fields first, then the server's other keys", () => {
  expect(fields.map(({ key }) => key)).toEqual([
    'endpoint',
    'auth_token',
    'queue_dir',
    'queue_limit',
    'comment',
    'client_cert',
    'jetstream',
  ])
  expect(start).toMatchObject({ endpoint: 'http://h/x', auth_token: '', queue_limit: '10000', jetstream: 'off' })
})

test('empty values are omitted on save, and cleared values are sent as empty [CFG-15]', () => {
  expect(changedSettingValues(fields, { ...start, comment: '' })).toEqual([
    { key: 'endpoint', value: 'http://h/x' },
    { key: 'queue_limit', value: '10000' },
    { key: 'comment', value: '' },
  ])
})

test('other keys are sent if they were changed; a secret if it was typed', () => {
  const values = { ...start, auth_token: 'new', client_cert: '/c', jetstream: 'on' }
  expect(changedSettingValues(fields, values).map(({ key }) => key)).toEqual([
    'endpoint',
    'auth_token',
    'queue_limit',
    'comment',
    'client_cert',
    'jetstream',
  ])
})

test('while a change waits for a restart, only edited fields are sent, so that the others do not undo it', () => {
  expect(changedSettingValues(fields, start, true)).toEqual([])
  expect(changedSettingValues(fields, { ...start, endpoint: 'http://h/y', comment: '' }, true)).toEqual([
    { key: 'endpoint', value: 'http://h/y' },
    { key: 'comment', value: '' },
  ])
})

test('a new target starts with the defaults of its form, not with the values of another', () => {
  const fresh = settingFields('notify_mqtt', [{ key: 'broker', value: 'tcp://other' }], true)
  expect(initialSettingValues(fresh)).toMatchObject({ broker: '', qos: '0', queue_limit: '10000' })
})
