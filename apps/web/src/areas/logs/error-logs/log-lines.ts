import type { LogMessage } from '@stowage/contract'

export const logLevels = ['FATAL', 'ERROR', 'WARNING', 'EVENT', 'INFO'] as const

/** Returns the level of a record; empty for plain lines. */
export function logLevel({ level, error }: LogMessage): string {
  return level || (error ? 'ERROR' : '')
}

/** Removes terminal colour codes and control characters from a line. */
function stripControlCodes(text: string): string {
  return text.replace(/\u001b?\[[\d;]*m/g, '').replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
}

/** Returns the text of a record on one line. Servers since 2022 send events in `message`, with an empty `ConsoleMsg`. */
export function logText({ ConsoleMsg, error, message }: LogMessage): string {
  return stripControlCodes(ConsoleMsg || error?.message || message || '')
}

/** Returns all further details of a record, with the labels of the original console. */
export function logDetailLines(record: LogMessage): string[] {
  const { api, deploymentid, requestID, remotehost, host, userAgent, error, message, time, ConsoleMsg } = record
  if (ConsoleMsg !== '' && !error) return []
  const bucket = api?.args?.bucket
    ? `(bucket=${api.args.bucket}${api.args.object ? `, object=${api.args.object}` : ''})`
    : ''
  const named: [string, string | undefined][] = [
    ['API', api && `${api.name}${bucket}`],
    ['Time', time],
    ['DeploymentID', deploymentid],
    ['RequestID', requestID],
    ['RemoteHost', remotehost],
    ['Host', host],
    ['UserAgent', userAgent],
    ['Message', error && message !== error.message ? message : undefined],
    ['Error', error?.message],
  ]
  const variables = Object.entries(error?.variables ?? {}).map(
    ([name, value]) => `   ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return [
    ...named.flatMap(([name, value]) => (value ? [stripControlCodes(`${name}: ${value}`)] : [])),
    ...variables.map(stripControlCodes),
    ...(error?.source ?? []).map((line) => stripControlCodes(`   ${line}`)),
  ]
}

/** Formats a record as text, for a file. */
export function logLines(record: LogMessage): string[] {
  const head = [record.at, logLevel(record), record.node, logText(record)].filter((part) => part !== '').join(' ')
  return [head, ...logDetailLines(record).map((line) => `  ${line}`)]
}

export function isHighlighted(text: string, wanted: string): boolean {
  return wanted !== '' && text.toLowerCase().includes(wanted.toLowerCase())
}
