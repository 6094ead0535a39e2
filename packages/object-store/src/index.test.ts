import { expect, test } from 'vitest'
import * as api from './index.ts'

test('the package exports what starts the store and relays its log, and nothing else', () => {
  expect(Object.keys(api).toSorted()).toEqual([
    'SettingsError',
    'driveFolders',
    'logOptions',
    'openLog',
    'parseStoreSettings',
    'relayTo',
    'rootCredentials',
    'storeSettings',
    'supervise',
  ])
})
