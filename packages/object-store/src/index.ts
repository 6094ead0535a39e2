export { trackUnusedConnections } from './http/unused-connections.ts'
export { closeDataFolder, ensureFolder } from './lib/folder.ts'
export { CONSOLE_AUDIT, CONSOLE_HEADER, CONSOLE_SECRET } from './process/console-secret.ts'
export { logOptions, openLog, relayStoreOutput } from './process/log-output.ts'
export type { SignInProvider, StoreAddress, StoreCommand, StoreMessage } from './process/process-messages.ts'
export { type SuperviseOptions, supervise } from './process/supervise.ts'
export { loadRootCredentials, printableSecretKey, type RootCredentials } from './settings/root-credentials.ts'
export { settingsHelpLines } from './settings/settings-help.ts'
export {
  byteSize,
  DEFAULT_REGION,
  driveFolders,
  parseStoreSettings,
  SettingsError,
  type StoreSettings,
  storeSettings,
} from './settings/store-settings.ts'
