import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { logOptions, openLog, relayTo } from './log.ts'
import { rootCredentials } from './root-credentials.ts'
import { parseStoreSettings, storeSettings } from './settings.ts'
import { settingsLines } from './settings-help.ts'
import { supervise } from './supervise.ts'

/* `npm run store`: the store without the console, with a small parent that restarts it. */

const program = path.join(path.dirname(fileURLToPath(import.meta.url)), `main${path.extname(import.meta.url)}`)
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

const HELP = `Stowage store: S3 object storage without the console.

Usage: npm run store -- [--help]

${settingsLines(storeSettings).join('\n')}
`

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP)
    return
  }
  const [unknown] = args
  if (unknown !== undefined) throw new Error(`${unknown} is not an option. --help lists the settings.`)
  const settings = parseStoreSettings(process.env)
  const log = await openLog(process.stdout.isTTY)
  const logger = pino({ level: settings.STOWAGE_LOG_LEVEL, ...logOptions('store') }, log)
  let told = false
  const tell = async ({ address, port }: { address: string; port: number }) => {
    if (told) return
    told = true
    const { STOWAGE_ROOT_USER: accessKey, STOWAGE_ROOT_PASSWORD: secretKey } = settings
    const root = await rootCredentials(settings.STOWAGE_DATA, { accessKey, secretKey })
    const host = address.includes(':') ? `[${address}]` : address
    // A password that was given is known; only a generated one has to be shown.
    const shown = secretKey === undefined ? root.secretKey : '(as set)'
    process.stdout.write(
      `Stowage store: http://${host}:${port}\n  access key  ${root.accessKey}\n  secret key  ${shown}\n`,
    )
  }
  await supervise(
    {
      program,
      environment: process.env,
      onLine: relayTo(log),
      onReady: (place) => void tell(place),
      onRestart: (reason) => logger.error({ reason }, 'the store died and is started again'),
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
