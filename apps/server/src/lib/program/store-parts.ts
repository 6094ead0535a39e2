// Parts of the store's program that the console's program shares: log, settings, folders, sockets. The console knows the
// store itself by its wire alone, as any other server.
export {
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
