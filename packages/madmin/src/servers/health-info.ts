import type { JsonStream } from '../transport/json-stream.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'

export interface HealthInfoOptions extends AdminCallOptions {
  readonly deadlineMs: number
  /** Whether the server masks the names of hosts. Servers of 2021 always do. */
  readonly anonymize: boolean
}

/** The sections of a report. Those in `OLD_SECTIONS` exist only on servers of 2021; others ignore them. */
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

/** Maximum size of a report, in bytes. */
const MAX_REPORT = 256 << 20

/**
 * Streams a report about the servers, which is sent again after each new section; the last value is complete. A second call
 * waits for the first to end. Needs `admin:OBDInfo`.
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
