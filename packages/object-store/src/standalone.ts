import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { addKeyToFile, ENCRYPTION_KEY_FILE } from './key-ring/key-file.ts'
import { ensureFolder } from './lib/folder.ts'
import { logOptions, openLog, relayStoreOutput } from './process/log-output.ts'
import type { StoreAddress } from './process/process-messages.ts'
import { supervise } from './process/supervise.ts'
import { loadRootCredentials, printableSecretKey } from './settings/root-credentials.ts'
import { settingsHelpLines } from './settings/settings-help.ts'
import { parseStoreSettings, storeSettings } from './settings/store-settings.ts'

/* `npm run store`: the store without the console, with a small parent that restarts it. */

const program = path.join(path.dirname(fileURLToPath(import.meta.url)), `main${path.extname(import.meta.url)}`)
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

const HELP = `Stowage store: S3 object storage without the console.

Usage: npm run store -- [--help | --new-key]

--new-key adds a key to encryption-keys.json in the data folder. At its next start the store encrypts everything with the
new key. After that, the older keys can be removed from the file.

${settingsHelpLines(storeSettings).join('\n')}
`

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP)
    return
  }
  const newKey = args.includes('--new-key')
  const unknown = args.find((arg) => arg !== '--new-key')
  if (unknown !== undefined) throw new Error(`Unknown option ${unknown}. Run with --help to list the settings.`)
  const settings = parseStoreSettings(process.env)
  if (newKey) {
    const file = path.join(path.resolve(settings.STOWAGE_DATA), ENCRYPTION_KEY_FILE)
    await ensureFolder(path.dirname(file))
    await addKeyToFile(file)
    process.stdout.write(`Added a key to ${file}. Restart the store to use it.\n`)
    return
  }
  const log = await openLog(process.stdout.isTTY)
  const logger = pino({ level: settings.STOWAGE_LOG_LEVEL, ...logOptions('store') }, log)
  let isPrinted = false
  const printAddress = async ({ address, port, newCredentials }: StoreAddress) => {
    if (isPrinted) return
    isPrinted = true
    const { STOWAGE_DATA: data, STOWAGE_ROOT_USER: accessKey, STOWAGE_ROOT_PASSWORD: secretKey } = settings
    const root = await loadRootCredentials(data, { accessKey, secretKey })
    const host = address.includes(':') ? `[${address}]` : address
    const shown = printableSecretKey(data, root, { given: secretKey, isNew: newCredentials })
    process.stdout.write(
      `Stowage store: http://${host}:${port}\n  access key  ${root.accessKey}\n  secret key  ${shown}\n`,
    )
  }
  await supervise(
    {
      program,
      environment: process.env,
      onLine: relayStoreOutput(log),
      onReady: (place) => void printAddress(place),
      onRestart: (reason) => logger.error({ reason }, 'the store stopped unexpectedly and is being restarted'),
    },
    stopping.signal,
  )
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
