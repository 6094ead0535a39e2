import { expect, test } from 'vitest'
import * as api from './index.ts'

test('the package exports what starts the store, and what the console does as the store does', () => {
  expect(Object.keys(api).toSorted()).toEqual([
    'CONSOLE_AUDIT',
    'CONSOLE_HEADER',
    'CONSOLE_SECRET',
    'DEFAULT_REGION',
    'SettingsError',
    'byteSize',
    'closeDataFolder',
    'driveFolders',
    'ensureFolder',
    'loadRootCredentials',
    'logOptions',
    'openLog',
    'parseStoreSettings',
    'printableSecretKey',
    'relayStoreOutput',
    'settingsHelpLines',
    'storeSettings',
    'supervise',
    'trackUnusedConnections',
  ])
})
