import { type DestinationStream, destination, stdTimeFunctions } from 'pino'
import type { PrettyOptions } from 'pino-pretty'

/** The fields of every log line, for all parts of the program. */
export const logOptions = (part: 'console' | 'store') => ({ base: { part }, timestamp: stdTimeFunctions.isoTime })

/** Opens the destination of all log lines: JSON, or for a terminal readable lines with the name of their part. */
export async function openLog(terminal: boolean): Promise<DestinationStream> {
  return terminal ? await openPrettyLog() : destination({ sync: true })
}

/** Creates a stream that formats JSON lines for people. @param options destination and colours */
export async function openPrettyLog(options: PrettyOptions = {}): Promise<DestinationStream> {
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
 * Returns a function that forwards the output of the store's process: its log lines unchanged, and messages of Node as separate
 * lines.
 */
export function relayStoreOutput(log: DestinationStream): (line: string) => void {
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
