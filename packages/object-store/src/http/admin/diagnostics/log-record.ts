import { redactJson } from '@stowage/madmin/redact'
import type { StoreLogLine } from '../../../process/console-log.ts'
import { ZERO_TIME } from '../endpoint/payload.ts'

export function logLevelName(level: number): string {
  if (level >= 60) return 'FATAL'
  if (level >= 50) return 'ERROR'
  return level >= 40 ? 'WARNING' : 'INFO'
}

/** Members of a log line that have a separate member in the record. */
const KNOWN_MEMBERS = new Set(['level', 'time', 'part', 'msg', 'err', 'request', 'requestId'])

/** Returns a log line in the form for admin clients and log webhooks. @param node host and port of this server */
export function logRecord(deploymentid: string, node: string, line: StoreLogLine): object {
  const request = asObject(line.request)
  const error = asObject(line.err)
  const variables = Object.fromEntries(Object.entries(line).filter(([name]) => !KNOWN_MEMBERS.has(name)))
  const stack = asText(error.stack)
  const record = {
    deploymentid,
    level: logLevelName(line.level),
    errKind: line.err === undefined ? '' : 'ALL',
    time: line.time ?? ZERO_TIME,
    ...(asText(request.operation) === ''
      ? {}
      : {
          api: {
            name: request.operation,
            args: { bucket: asText(request.bucket), object: asText(request.key) },
          },
        }),
    ...(asText(request.remoteAddress) === '' ? {} : { remotehost: request.remoteAddress }),
    host: node,
    ...(asText(line.requestId ?? request.id) === '' ? {} : { requestID: line.requestId ?? request.id }),
    message: line.msg ?? '',
    ...(line.err === undefined && Object.keys(variables).length === 0
      ? {}
      : {
          error: {
            message: asText(error.message) || (line.msg ?? ''),
            source:
              stack === ''
                ? []
                : stack
                    .split('\n')
                    .slice(1)
                    .map((at) => at.trim()),
            variables: Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, toText(value)])),
          },
        }),
    ConsoleMsg: '',
    node,
  }
  return redactJson(record) as object
}

/** Converts a value to text, because clients of 2021 only read texts. */
function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
