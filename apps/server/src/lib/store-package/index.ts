// The only import of the store's package: what starts the store as a child process, and parts of its program that the console's
// program shares (log, settings, folders, sockets). The console uses the store itself only over the network, like any other
// server.
export {
  byteSize,
  CONSOLE_AUDIT,
  CONSOLE_HEADER,
  CONSOLE_SECRET,
  closeDataFolder,
  DEFAULT_REGION,
  ensureFolder,
  loadRootCredentials,
  logOptions,
  openLog,
  printableSecretKey,
  relayStoreOutput,
  type SignInProvider,
  type StoreAddress,
  settingsHelpLines,
  storeSettings,
  supervise,
  trackUnusedConnections,
} from '@stowage/object-store'
