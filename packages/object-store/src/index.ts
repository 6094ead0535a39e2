export type { StoreCommand, StoreMessage } from './messages.ts'
export { type RootCredentials, rootCredentials } from './root-credentials.ts'
export { driveFolders, parseStoreSettings, SettingsError, type StoreSettings, storeSettings } from './settings.ts'
export { type SuperviseOptions, supervise } from './supervise.ts'
