export { closeDataFolder, ensureFolder } from './lib/folder.ts'
export { CONSOLE_AUDIT, CONSOLE_HEADER, CONSOLE_SECRET } from './process/console-secret.ts'
export { trackUnusedConnections } from './http/unused-connections.ts'
export { logOptions, openLog, relayStoreOutput } from './process/log-output.ts'
export type { SignInProvider, StoreCommand, StoreMessage, StoreAddress } from './process/process-messages.ts'
export { type RootCredentials, loadRootCredentials, printableSecretKey } from './settings/root-credentials.ts'
export {
  byteSize,
  DEFAULT_REGION,
  driveFolders,
  parseStoreSettings,
  SettingsError,
  type StoreSettings,
  storeSettings,
} from './settings/store-settings.ts'
export { settingsHelpLines } from './settings/settings-help.ts'
export { type SuperviseOptions, supervise } from './process/supervise.ts'
