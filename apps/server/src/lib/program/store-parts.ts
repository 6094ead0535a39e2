// Parts of the store's program that the console's program shares: log, settings, folders, sockets. The console uses the store
// itself only over the network, like any other server.
export {
  byteSize,
  closeDataFolder,
  DEFAULT_REGION,
  ensureFolder,
  logOptions,
  openLog,
  relayTo,
  settingsLines,
  storeSettings,
  unusedConnections,
} from '@stowage/object-store'
