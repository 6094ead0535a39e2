import { type ConsoleConfig, readConfig, settingsHelp } from './lib/config/config.ts'
import { createProgramLog } from './lib/program/program-log.ts'
import { CONSOLE_VERSION } from './lib/program/program-paths.ts'
import { startFailure } from './lib/program/start-failure.ts'
import { runConsole } from './run-console.ts'

const USAGE = `Stowage ${CONSOLE_VERSION}: the administration console for S3 object storage.

Usage: npm start -- [--help | --version]

`

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) return print(USAGE + settingsHelp())
  if (args.includes('--version') || args.includes('-v')) return print(CONSOLE_VERSION)
  const [unknown] = args
  if (unknown !== undefined) return fail(`Unknown option ${unknown}. Run with --help to list the settings.`)

  let config: ConsoleConfig | undefined
  try {
    config = readConfig(process.env)
    const log = await createProgramLog(config.logLevel, process.stdout.isTTY)
    const running = await runConsole(config, log)
    stopOnSignals(running)
    running.storeEnded?.catch((error: unknown) => fail(String(error)))
    announce(running, config.operator ? 'cluster       ' : 'storage server')
  } catch (error) {
    const line = startFailure(error, config)
    fail(line ?? (error instanceof Error ? (error.stack ?? error.message) : String(error)))
  }
}

type Running = Awaited<ReturnType<typeof runConsole>>

/** Reports on the terminal, and to the parent process, that the console is ready. */
function announce({ url, server, credentials }: Running, what: string): void {
  const lines = [
    `Stowage ${CONSOLE_VERSION} is ready: ${url}`,
    `  ${what}  ${server}${credentials ? ' (embedded)' : ''}`,
  ]
  if (credentials) {
    lines.push(`  access key      ${credentials.accessKey}`, `  secret key      ${credentials.shownSecret}`)
  }
  print(lines.join('\n'))
  const { accessKey: user, secretKey: password } = credentials ?? {}
  process.send?.({ type: 'ready', url, server, user, password })
}

/** How long a stop may take without a word (ms), if the console itself has no request. */
const QUIET_STOP = 5000

/** Stops on SIGINT and SIGTERM: the first signal waits for running calls, the second one does not. */
function stopOnSignals({ isBusy, stop }: Running): void {
  let stopping = false
  const onSignal = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(signal === 'SIGINT' ? 130 : 143)
    stopping = true
    const explain = () => print('Waiting for running requests. Press Ctrl-C again to stop now.')
    if (isBusy()) explain()
    else setTimeout(explain, QUIET_STOP)
    stop().then(
      () => process.exit(0),
      (error: unknown) => fail(`Stopping failed: ${error}`),
    )
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function fail(line: string): void {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

await main(process.argv.slice(2))
