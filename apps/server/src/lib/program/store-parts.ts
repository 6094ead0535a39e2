// Parts of the store's program that the console's program shares: log, settings, folders, sockets. The store itself is
// used over the network only, as any other server.
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
