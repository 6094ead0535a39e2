// Parts of the store's program that the console's program shares: log, settings, folders, sockets. The console uses the store
// itself only over the network, like any other server.
export {
  byteSize,
  closeDataFolder,
  DEFAULT_REGION,
  ensureFolder,
  logOptions,
  openLog,
  relayStoreOutput,
  settingsHelpLines,
  storeSettings,
  trackUnusedConnections,
} from '@stowage/object-store'
