import { readFile, statfs } from 'node:fs/promises'
import { arch, cpus, freemem, hostname, loadavg, networkInterfaces, platform, release, totalmem, uptime } from 'node:os'
import { S3Error } from '../../../lib/errors.ts'
import { STORE_VERSION } from '../../../lib/version.ts'
import type { StoreCall } from '../../call/call.ts'
import { openEventStream } from '../../call/event-stream.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { durationParameter } from '../endpoint/duration-parameter.ts'
import { serverInfoDocument } from '../server/server-info.ts'

const KEEP_ALIVE_MS = 5_000
const DEADLINE_MS = 3_600_000

interface Report {
  version: string
  timestamp: string
  error?: string
  sys: Record<string, unknown>
  minio: Record<string, unknown>
}

interface Section {
  /** The query parameter that requests it. */
  flag: string
  part: 'sys' | 'minio'
  name: string
  read(call: StoreCall): unknown
}

/** In the order of MinIO and its forks. */
const SECTIONS: readonly Section[] = [
  { flag: 'syscpu', part: 'sys', name: 'cpus', read: (call) => [processorInfo(call)] },
  { flag: 'sysdrivehw', part: 'sys', name: 'partitions', read: async (call) => [await partitions(call)] },
  { flag: 'sysosinfo', part: 'sys', name: 'osinfo', read: (call) => [systemInfo(call)] },
  {
    flag: 'sysmem',
    part: 'sys',
    name: 'meminfo',
    read: (call) => [{ addr: serverAddress(call), total: totalmem(), available: freemem() }],
  },
  {
    flag: 'sysnet',
    part: 'sys',
    name: 'netinfo',
    read: (call) => [{ addr: serverAddress(call), interfaces: Object.keys(networkInterfaces()) }],
  },
  { flag: 'sysprocess', part: 'sys', name: 'procinfo', read: (call) => [processInfo(call)] },
  { flag: 'sysconfig', part: 'sys', name: 'config', read: async (call) => [await readLimits(call)] },
  { flag: 'minioconfig', part: 'minio', name: 'config', read: storeSettingsSection },
  { flag: 'minioinfo', part: 'minio', name: 'info', read: serverInfoDocument },
]

/** A report about the machine and the store. It is sent again after each section; the last one is complete. */
export const healthInfoEndpoint: AdminEndpoint = {
  name: 'OBDInfo',
  method: 'GET',
  path: 'healthinfo',
  async handle(call) {
    const { query, response } = call
    const anonymize = query.get('anonymize') ?? ''
    if (anonymize !== '' && anonymize !== 'strict')
      throw new S3Error('XMinioAdminInvalidArgument', 'anonymize must be "strict" or empty.')
    const deadline = performance.now() + durationParameter(query, 'deadline', DEADLINE_MS)
    const stream = openEventStream(call, KEEP_ALIVE_MS)
    const report: Report = { version: '3', timestamp: new Date().toISOString(), sys: {}, minio: {} }
    const send = () => stream.write(anonymize === 'strict' ? anonymizeReport(report, call) : report)
    send()
    for (const { flag, part, name, read } of SECTIONS.filter((section) => query.get(section.flag) === 'true')) {
      if (response.destroyed) return
      if (performance.now() > deadline) {
        report.error = `The deadline passed before ${flag}.`
        break
      }
      try {
        report[part][name] = await read(call)
      } catch (error) {
        // Continue with the other sections.
        report.error = [report.error, `${flag}: ${(error as Error).message}`].filter(Boolean).join('; ')
      }
      send()
    }
    if (report.error) send()
    response.end()
  },
}

const serverAddress = (call: StoreCall) => call.header('host') ?? ''

function processorInfo(call: StoreCall): object {
  const all = cpus()
  const model = all[0]?.model ?? ''
  return { addr: serverAddress(call), cpus: [{ model_name: model, cores: all.length }], load: loadavg() }
}

function systemInfo(call: StoreCall): object {
  const info = { hostname: hostname(), platform: platform(), kernelVersion: release(), kernelArch: arch() }
  return { addr: serverAddress(call), info: { ...info, uptime: Math.floor(uptime()) } }
}

async function partitions(call: StoreCall): Promise<object> {
  const drives = call.engine.drives()
  const all = await Promise.all(
    drives.map(async ({ path, total, free, state }) => {
      // An offline drive has no more details.
      const { files = 0, ffree = 0, type = 0 } = await statfs(path).catch(() => ({}) as Partial<StatFs>)
      return {
        mountpoint: path,
        spaceTotal: total,
        spaceFree: free,
        state,
        inodeTotal: files,
        inodeFree: ffree,
        fsType: `0x${type.toString(16)}`,
      }
    }),
  )
  return { addr: serverAddress(call), partitions: all }
}

type StatFs = Awaited<ReturnType<typeof statfs>>

function processInfo(call: StoreCall): object {
  const { rss, heapUsed } = process.memoryUsage()
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  const info = {
    pid: process.pid,
    meminfo: { rss, heapUsed },
    createTime: call.engine.startedAt,
    version: STORE_VERSION,
  }
  const times = { user: userCPUTime / 1e6, system: systemCPUTime / 1e6 }
  return { addr: serverAddress(call), ...info, times, requests: call.store.recorder.running }
}

async function readLimits(call: StoreCall): Promise<object> {
  // Linux only. On other systems the section contains the error.
  const text = await readFile('/proc/self/limits', 'utf8')
  const [, openFiles = ''] = /^Max open files\s+(\S+)/m.exec(text) ?? []
  return { addr: serverAddress(call), config: { 'rlimit-max-open-files': openFiles } }
}

/** Returns the settings of the store, without credentials, users and buckets. */
function storeSettingsSection({ store }: StoreCall): object {
  return {
    config: {
      region: store.region,
      anyRegion: store.anyRegion,
      domains: store.domains,
      trustProxy: store.trustProxy,
      sandbox: store.sandbox,
    },
  }
}

/** Returns the report with all hosts, addresses and folders masked. */
function anonymizeReport(report: Report, call: StoreCall): object {
  const names: [string, string][] = [
    ...call.engine.drives().map(({ path }, i): [string, string] => [path, `drive${i + 1}`]),
    [serverAddress(call), 'server1'],
    [serverAddress(call).split(':')[0] ?? '', 'server1'],
    [hostname(), 'server1'],
    ...call.store.domains.map((domain, i): [string, string] => [domain, `domain${i + 1}`]),
    ...Object.keys(networkInterfaces()).map((name, i): [string, string] => [name, `interface${i + 1}`]),
  ]
  // Longest first, because one name may be a prefix of another.
  const sorted = names.filter(([name]) => name !== '').sort(([a], [b]) => b.length - a.length)
  return maskNames(report, sorted) as object
}

function maskNames(value: unknown, names: readonly [string, string][]): unknown {
  if (typeof value === 'string') {
    const known = names.find(([name]) => value === name)
    if (known) return known[1]
    return names.reduce((text, [name, mask]) => (name.length > 3 ? text.replaceAll(name, mask) : text), value)
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => maskNames(item, names))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [String(maskNames(name, names)), maskNames(member, names)]),
  )
}
