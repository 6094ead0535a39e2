import { expect, test } from 'vitest'
import * as api from './index.ts'

test('the package exports what starts the store, relays its log and makes folders, and nothing else', () => {
  expect(Object.keys(api).toSorted()).toEqual([
    'CONSOLE_HEADER',
    'CONSOLE_SECRET',
    'SettingsError',
    'driveFolders',
    'ensureFolder',
    'logOptions',
    'openLog',
    'parseStoreSettings',
    'relayTo',
    'rootCredentials',
    'storeSettings',
    'supervise',
  ])
})
