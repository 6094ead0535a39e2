import { redactJson } from '@stowage/madmin/redact'
import type { LogLine } from '../console-log.ts'
import { ZERO_TIME } from './admin/payload.ts'

export function levelOf(level: number): string {
  if (level >= 60) return 'FATAL'
  if (level >= 50) return 'ERROR'
  return level >= 40 ? 'WARNING' : 'INFO'
}

/** Members of a log line that have a separate member in the record. */
const PLACED = new Set(['level', 'time', 'part', 'msg', 'err', 'request', 'requestId'])

/** Returns a log line in the form for admin clients and log webhooks. @param node host and port of this server */
export function logRecord(deploymentid: string, node: string, line: LogLine): object {
  const request = objectOf(line.request)
  const error = objectOf(line.err)
  const variables = Object.fromEntries(Object.entries(line).filter(([name]) => !PLACED.has(name)))
  const stack = textOf(error.stack)
  const record = {
    deploymentid,
    level: levelOf(line.level),
    errKind: line.err === undefined ? '' : 'ALL',
    time: line.time ?? ZERO_TIME,
    ...(textOf(request.operation) === ''
      ? {}
      : {
          api: {
            name: request.operation,
            args: { bucket: textOf(request.bucket), object: textOf(request.key) },
          },
        }),
    ...(textOf(request.remoteAddress) === '' ? {} : { remotehost: request.remoteAddress }),
    host: node,
    ...(textOf(line.requestId ?? request.id) === '' ? {} : { requestID: line.requestId ?? request.id }),
    message: line.msg ?? '',
    ...(line.err === undefined && Object.keys(variables).length === 0
      ? {}
      : {
          error: {
            message: textOf(error.message) || (line.msg ?? ''),
            source:
              stack === ''
                ? []
                : stack
                    .split('\n')
                    .slice(1)
                    .map((at) => at.trim()),
            variables: Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, inText(value)])),
          },
        }),
    ConsoleMsg: '',
    node,
  }
  return redactJson(record) as object
}

/** Converts a value to text, because clients of 2021 only read texts. */
function inText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
