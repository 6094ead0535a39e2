import { Session } from 'node:inspector/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeZip, type ZipArchiveEntry } from '@stowage/madmin/zip'
import { S3Error } from '../../../lib/errors.ts'
import { STORE_VERSION } from '../../../lib/version.ts'
import type { StoreCall } from '../../call/call.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { durationParameter } from '../endpoint/duration-parameter.ts'

/* CPU and allocation profiles of this process. Memory dumps are not supported, because they would contain all secrets. */

const KINDS = ['cpu', 'mem'] as const
type Kind = (typeof KINDS)[number]

const DEFAULT_MS = 10_000
const MAX_MS = 60_000
/** A profile that nobody has fetched after this time is dropped. */
const FORGOTTEN_MS = 10 * 60_000
/** Allocated bytes between two samples. */
const SAMPLE_BYTES = 32 << 10

/** Profiling in progress. A process has only one profiler. */
interface RunningProfile {
  kinds: readonly Kind[]
  session: Session
  startedAt: number
  /** Timer that drops the profile; undefined if its request waits for it. */
  forget: NodeJS.Timeout | undefined
}
let running: RunningProfile | undefined

export const adminProfileEndpoints: AdminEndpoint[] = [
  {
    name: 'Profile',
    method: 'POST',
    path: 'profile',
    async handle(call) {
      const kinds = requestedKinds(call)
      const ms = durationParameter(call.query, 'duration', DEFAULT_MS)
      if (ms < 100 || ms > MAX_MS)
        throw new S3Error('XMinioAdminInvalidArgument', 'duration must be between 100ms and 60s.')
      const leaving = new AbortController()
      call.response.once('close', () => leaving.abort())
      const own = await start(kinds)
      try {
        await sleep(ms, undefined, { signal: AbortSignal.any([leaving.signal, call.store.closing]) })
      } catch {
        await finish(own)
        return
      }
      send(call, await finish(own), own)
    },
  },
  {
    name: 'StartProfiling',
    method: 'POST',
    path: 'profiling/start',
    async handle(call) {
      const own = await start(requestedKinds(call))
      own.forget = setTimeout(() => void finish(own), FORGOTTEN_MS).unref()
      call.json([{ nodeName: call.header('host') ?? '', success: true, error: '' }])
    },
  },
  {
    name: 'DownloadProfilingData',
    method: 'GET',
    path: 'profiling/download',
    async handle(call) {
      // A profile that a `profile` request waits for belongs to that request.
      const own = running
      if (!own?.forget) throw new S3Error('InvalidRequest', 'No profiling was started.')
      // Of two requests at once, the first one gets it.
      clearTimeout(own.forget)
      own.forget = undefined
      send(call, await finish(own), own)
    },
  },
]

/** @throws S3Error XMinioAdminInvalidArgument */
function requestedKinds({ query }: StoreCall): Kind[] {
  const asked = (query.get('profilerType') ?? '').split(',').map((kind) => kind.trim())
  const unknown = asked.find((kind) => !KINDS.some((known) => known === kind))
  if (unknown !== undefined)
    throw new S3Error('XMinioAdminInvalidArgument', `profilerType must be cpu, mem or both of them.`)
  return KINDS.filter((kind) => asked.includes(kind))
}

/** @throws S3Error SlowDown (another one runs) */
async function start(kinds: readonly Kind[]): Promise<RunningProfile> {
  if (running) throw new S3Error('SlowDown', 'This server is being profiled already. Try again when that has ended.')
  const session = new Session()
  const own: RunningProfile = { kinds, session, startedAt: Date.now(), forget: undefined }
  running = own
  try {
    session.connect()
    if (kinds.includes('cpu')) {
      await session.post('Profiler.enable')
      await session.post('Profiler.start')
    }
    if (kinds.includes('mem')) await session.post('HeapProfiler.startSampling', { samplingInterval: SAMPLE_BYTES })
    return own
  } catch (error) {
    end(own)
    throw error
  }
}

/** Ends profiling. @returns the files of the profile */
async function finish(own: RunningProfile): Promise<ZipArchiveEntry[]> {
  if (running !== own) return []
  const { session, kinds } = own
  try {
    const files: ZipArchiveEntry[] = []
    if (kinds.includes('cpu')) {
      const { profile } = await session.post('Profiler.stop')
      files.push({ name: 'cpu.cpuprofile', content: Buffer.from(JSON.stringify(profile)) })
    }
    if (kinds.includes('mem')) {
      const { profile } = await session.post('HeapProfiler.stopSampling')
      files.push({ name: 'mem.heapprofile', content: Buffer.from(JSON.stringify(profile)) })
    }
    return files
  } finally {
    end(own)
  }
}

function end(own: RunningProfile): void {
  clearTimeout(own.forget)
  own.session.disconnect()
  if (running === own) running = undefined
}

function send(call: StoreCall, files: readonly ZipArchiveEntry[], { startedAt }: RunningProfile): void {
  const host = (call.header('host') ?? 'server').replace(/[^\w.-]/g, '_')
  const about = {
    version: STORE_VERSION,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date().toISOString(),
  }
  const entries = [
    { name: 'cluster.info', content: Buffer.from(JSON.stringify(about)) },
    ...files.map(({ name, content }) => ({ name: `profile-${host}-${name}`, content })),
  ]
  call.text(writeZip(entries), 200, { 'Content-Type': 'application/zip' })
}
