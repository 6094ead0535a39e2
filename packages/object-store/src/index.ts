export { closeDataFolder, ensureFolder } from './folder.ts'
export { CONSOLE_AUDIT, CONSOLE_HEADER, CONSOLE_SECRET } from './forwarding.ts'
export { unusedConnections } from './http/unused-connections.ts'
export { logOptions, openLog, relayTo } from './log.ts'
export type { SignInProvider, StoreCommand, StoreMessage, StorePlace } from './messages.ts'
export { type RootCredentials, rootCredentials, shownSecret } from './root-credentials.ts'
export {
  byteSize,
  DEFAULT_REGION,
  driveFolders,
  parseStoreSettings,
  SettingsError,
  type StoreSettings,
  storeSettings,
} from './settings.ts'
export { settingsLines } from './settings-help.ts'
export { type SuperviseOptions, supervise } from './supervise.ts'
