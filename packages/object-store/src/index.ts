export { closeDataFolder, ensureFolder } from './folder.ts'
export { CONSOLE_AUDIT, CONSOLE_HEADER, CONSOLE_SECRET } from './forwarding.ts'
export { trackUnusedConnections } from './http/unused-connections.ts'
export { logOptions, openLog, relayStoreOutput } from './log.ts'
export type { SignInProvider, StoreCommand, StoreMessage, StoreAddress } from './messages.ts'
export { type RootCredentials, loadRootCredentials, printableSecretKey } from './root-credentials.ts'
export {
  byteSize,
  DEFAULT_REGION,
  driveFolders,
  parseStoreSettings,
  SettingsError,
  type StoreSettings,
  storeSettings,
} from './settings.ts'
export { settingsHelpLines } from './settings-help.ts'
export { type SuperviseOptions, supervise } from './supervise.ts'
