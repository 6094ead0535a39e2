import { pino } from 'pino'
import { ConsoleAuditTarget } from './audit/console-target.ts'
import { DataFolderLocked } from './engine/data-folder-lock.ts'
import { ConsoleLog } from './process/console-log.ts'
import { CONSOLE_AUDIT, CONSOLE_SECRET } from './process/console-secret.ts'
import { logOptions } from './process/log-output.ts'
import type { StoreCommand, StoreMessage } from './process/process-messages.ts'
import { type RunningStore, runStore } from './run.ts'
import { parseStoreSettings, SettingsError } from './settings/store-settings.ts'

/*
 * The store's own process: a child of the console's server or of `standalone.ts`, which stop it over the IPC channel. Without a
 * parent it is stopped by a signal like any other program.
 */

const sendToParent = (message: StoreMessage) => process.connected && process.send?.(message)

/** Returns the target of audit records, if the console that started this process wants them. */
function auditTarget(): ConsoleAuditTarget | undefined {
  if (!process.send || process.env[CONSOLE_AUDIT] !== 'on') return undefined
  return new ConsoleAuditTarget({
    send(message) {
      sendToParent(message)
      return process.connected
    },
    onCommand: (listener) => void process.on('message', listener),
  })
}

/** Describes an error in one line: what is wrong and, if not obvious, what to do. */
function describeStartError(error: unknown): string {
  if (error instanceof SettingsError) return error.message
  if (error instanceof DataFolderLocked) {
    return `The data folder ${error.folder} is in use by process ${error.pid ?? '(unknown)'}.`
  }
  const { code, message, path, syscall } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${(error as { port?: number }).port} is in use. Stop the other program or set STOWAGE_STORE_PORT.`
    case 'EADDRNOTAVAIL':
      return `${(error as { address?: string }).address} is not an address of this machine. Set STOWAGE_STORE_HOST.`
    case 'ENOTDIR':
    case 'EEXIST':
      return `${path} is not a folder. Set STOWAGE_DATA or STOWAGE_DRIVES.`
    case 'ENOENT':
      return syscall === 'mkdir' ? `${path} cannot be created. Set STOWAGE_DATA or STOWAGE_DRIVES.` : message
    case 'ENOSPC':
      return `No space is left for the store (${path ?? message}). Free some space and start it again.`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return path === undefined
        ? `Not permitted: ${message}`
        : `${path} is not writable. Change its permissions, or set STOWAGE_DATA or STOWAGE_DRIVES.`
    default:
      return message
  }
}

async function main(): Promise<void> {
  const settings = parseStoreSettings(process.env)
  const consoleLog = new ConsoleLog()
  const log = pino({
    level: settings.STOWAGE_LOG_LEVEL,
    ...logOptions('store'),
    hooks: { streamWrite: consoleLog.take },
  })
  let ending = false
  const control = (command: 'restart' | 'stop') => {
    const message: StoreMessage = { type: command === 'restart' ? 'restart' : 'stopped' }
    // The parent process starts the store again, or leaves it stopped.
    if (!sendToParent(message)) void end()
  }
  const starting = runStore(settings, {
    log,
    consoleLog,
    control,
    consoleSecret: process.env[CONSOLE_SECRET],
    audit: auditTarget(),
    // They contain secrets, so only a console gets them.
    onSignInProviders: process.env[CONSOLE_SECRET]
      ? (providers) => void sendToParent({ type: 'providers', providers })
      : undefined,
  })
  const end = async () => {
    if (ending) return
    ending = true
    // A failed start is reported below.
    const store: RunningStore | undefined = await starting.catch(() => undefined)
    if (!store) return
    await store.close()
    process.exit(0)
  }
  // Registered first: the parent may stop the store, or exit, before it is ready.
  if (process.send) {
    // Signals to the group reach the parent too, which ends the store when it has ended itself.
    process.on('SIGINT', () => undefined)
    process.on('SIGTERM', () => undefined)
    process.on('disconnect', () => void end())
    process.on('message', (command: StoreCommand) => {
      if (command.type === 'stop') void end()
    })
    if (!process.connected) void end()
  } else {
    process.on('SIGINT', () => void end())
    process.on('SIGTERM', () => void end())
  }
  const store = await starting
  if (ending) return
  const { address, port, newCredentials } = store
  log.info({ address, port }, 'the store is ready')
  sendToParent({ type: 'ready', address, port, newCredentials })
}

try {
  await main()
} catch (error) {
  const message = describeStartError(error)
  // With a parent the message is sent to it, and shown once by the parent.
  if (process.connected && process.send) process.send({ type: 'failed', message }, () => process.exit(1))
  else {
    process.stderr.write(`${message}\n`)
    process.exit(1)
  }
}
