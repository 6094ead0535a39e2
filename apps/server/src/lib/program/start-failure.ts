import { ConfigError, type ConsoleConfig } from '../config/config.ts'
import { StoreStartError } from './embedded-store.ts'

/** Describes a failure to start in one line for the user; undefined for a bug, whose stack is more useful. */
export function startFailure(error: unknown, config: ConsoleConfig | undefined): string | undefined {
  if (error instanceof ConfigError || error instanceof StoreStartError) return error.message
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const path = 'path' in error ? String(error.path) : ''
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${config?.port} is in use. Stop the program that uses it, or choose another port with STOWAGE_PORT.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${config?.host} is not an address of this machine. Choose another one with STOWAGE_HOST.`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'port' in error
        ? `This user is not allowed to listen on port ${config?.port}. Choose a port above 1023 with STOWAGE_PORT.`
        : `The data folder ${config?.data} is not writable (${path}). Choose another one with STOWAGE_DATA.`
    case 'ENOTDIR':
    case 'EEXIST':
      return `The data folder ${config?.data} is not a folder. Choose another one with STOWAGE_DATA.`
    case 'ENOSPC':
      return `No space is left for the data folder ${config?.data}.`
    case 'ENOENT':
      return 'syscall' in error && error.syscall === 'mkdir'
        ? `The data folder ${config?.data} cannot be created. Choose another one with STOWAGE_DATA.`
        : `${nameSettingOfFile(path, config) ?? path} does not exist.`
    default:
      return String(error.code).startsWith('ERR_OSSL_')
        ? `A certificate or key cannot be read: ${error.message}. See STOWAGE_TLS_CERT, STOWAGE_TLS_KEY and STOWAGE_TLS_CA.`
        : undefined
  }
}

/** Returns a file with the setting that names it. */
function nameSettingOfFile(path: string, config: ConsoleConfig | undefined): string | undefined {
  const files = {
    STOWAGE_TLS_CERT: config?.tls?.certFile,
    STOWAGE_TLS_KEY: config?.tls?.keyFile,
    STOWAGE_TLS_CA: config?.caFile,
  }
  const [name] = Object.entries(files).find(([, file]) => file === path) ?? []
  return name && `The file of ${name}, ${path},`
}
