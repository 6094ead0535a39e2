import { type DestinationStream, destination, stdTimeFunctions } from 'pino'
import type { PrettyOptions } from 'pino-pretty'

/** The fields of every log line, for all parts of the program. */
export const logOptions = (part: 'console' | 'store') => ({ base: { part }, timestamp: stdTimeFunctions.isoTime })

/** Where the lines of all parts go: JSON as it comes, or for a terminal readable ones, marked by their part. */
export async function openLog(terminal: boolean): Promise<DestinationStream> {
  return terminal ? await readable() : destination({ sync: true })
}

/** Makes readable lines of JSON. @param options where they go, and whether in colour */
export async function readable(options: PrettyOptions = {}): Promise<DestinationStream> {
  const { default: pretty } = await import('pino-pretty')
  return pretty({
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'part,req,reqId',
    messageFormat: (line, message, _level, { colors }) => `${colors.magenta(String(line.part))} ${line[message]}`,
    singleLine: true,
    sync: true,
    ...options,
  })
}

/**
 * Passes on what the store's process writes: its log lines as they are, and what Node says when the process dies as
 * lines of their own.
 */
export function relayTo(log: DestinationStream): (line: string) => void {
  return (line) => {
    if (line === '') return
    const text = isLogLine(line) ? line : JSON.stringify({ level: 50, time: now(), part: 'store', msg: line })
    log.write(`${text}\n`)
  }
}

const now = () => new Date().toISOString()

function isLogLine(line: string): boolean {
  if (!line.startsWith('{"level":')) return false
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}
