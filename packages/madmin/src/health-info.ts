import type { JsonStream } from './json-stream.ts'
import type { CallOptions, Transport } from './transport.ts'

export interface HealthInfoOptions extends CallOptions {
  readonly deadlineMs: number
  /** Whether the server masks the names of hosts. Servers of 2021 always do. */
  readonly anonymize: boolean
}

/** The sections of a report. Those of `OLD_SECTIONS` exist on servers of 2021 only; others ignore them. */
const SECTIONS = [
  'minioinfo',
  'minioconfig',
  'syscpu',
  'sysdrivehw',
  'sysosinfo',
  'sysmem',
  'sysnet',
  'sysprocess',
  'syserrors',
  'sysservices',
  'sysconfig',
]
const OLD_SECTIONS = ['sysdocker', 'sysload']

/** Bytes of the longest report that is read. */
const MAX_REPORT = 256 << 20

/**
 * A report about the servers, sent again and longer after each section; the last value is whole. A second call waits until
 * the first has ended. Needs `admin:OBDInfo`.
 * @throws MadminError AccessDenied
 */
export async function healthInfo(
  t: Transport,
  { deadlineMs, anonymize, ...call }: HealthInfoOptions,
): Promise<JsonStream> {
  const flags = [...SECTIONS, ...OLD_SECTIONS].map((name) => [name, 'true'] as const)
  return await t.stream({
    method: 'GET',
    path: 'healthinfo',
    query: {
      deadline: `${Math.max(1, Math.floor(deadlineMs / 1000))}s`,
      anonymize: anonymize ? 'strict' : '',
      ...Object.fromEntries(flags),
    },
    maxRecordBytes: MAX_REPORT,
    ...call,
  })
}
