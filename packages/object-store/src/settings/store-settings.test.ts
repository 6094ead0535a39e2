import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { driveFolders, parseStoreSettings, SettingsError, storeSettings } from './store-settings.ts'

describe('store settings', () => {
  test("have defaults for a machine of one's own", () => {
    expect(parseStoreSettings({})).toMatchObject({
      STOWAGE_STORE_PORT: 9000,
      STOWAGE_STORE_HOST: '127.0.0.1',
      STOWAGE_MIN_FREE: 512 * 1024 * 1024,
    })
  })

  test.each([
    ['1000', 1000],
    ['512MiB', 512 * 1024 ** 2],
    ['1.5 GiB', 1.5 * 1024 ** 3],
    ['2tib', 2 * 1024 ** 4],
  ])('free space of %s is %i bytes', (text, bytes) => {
    expect(parseStoreSettings({ STOWAGE_MIN_FREE: text }).STOWAGE_MIN_FREE).toBe(bytes)
  })

  test.each([
    ['STOWAGE_STORE_PORT', '70000'],
    ['STOWAGE_STORE_PORT', 'x'],
    ['STOWAGE_MIN_FREE', '5 MB'],
    ['STOWAGE_ROOT_USER', 'ab'],
    ['STOWAGE_ROOT_USER', 'a=b'],
    ['STOWAGE_REGION', 'us east'],
    ['STOWAGE_LOG_LEVEL', 'loud'],
  ])('%s = %s is refused by name and value', (name, value) => {
    expect(() => parseStoreSettings({ [name]: value })).toThrow(SettingsError)
    expect(() => parseStoreSettings({ [name]: value })).toThrow(`${name} is ${JSON.stringify(value)}`)
  })

  test('a wrong password is not shown', () => {
    expect(() => parseStoreSettings({ STOWAGE_ROOT_PASSWORD: 'hush' })).toThrow(
      /^STOWAGE_ROOT_PASSWORD is \(not shown\)/,
    )
  })

  test('a region counts only when it is set', () => {
    expect(parseStoreSettings({ STOWAGE_REGION: '' }).STOWAGE_REGION).toBeUndefined()
    expect(parseStoreSettings({ STOWAGE_REGION: 'eu-west-1' }).STOWAGE_REGION).toBe('eu-west-1')
  })

  test('an empty variable is unset', () => {
    expect(parseStoreSettings({ STOWAGE_STORE_PORT: '', STOWAGE_ROOT_USER: '' }).STOWAGE_STORE_PORT).toBe(9000)
  })

  test('drives are four folders in the data folder unless they are named', () => {
    expect(driveFolders({ STOWAGE_DATA: '/data', STOWAGE_DRIVES: undefined })).toEqual(
      [1, 2, 3, 4].map((n) => `/data/drives/${n}`),
    )
    const named = parseStoreSettings({ STOWAGE_DRIVES: '/a, b ,' })
    expect(driveFolders(named)).toEqual(['/a', path.resolve('b')])
  })

  test('each one says what it is for', () => {
    for (const [name, schema] of Object.entries(storeSettings))
      expect([name, schema.description]).not.toContain(undefined)
  })
})
