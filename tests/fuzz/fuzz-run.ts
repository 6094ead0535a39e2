import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { startConsole, type TestConsole } from '../support/console/start-console.ts'
import { embeddedStoreProcess } from '../support/processes/processes.ts'
import { findComplaint } from './complaint.ts'
import { consoleRequests } from './console-requests.ts'
import type { FuzzRequest } from './fuzz-request.ts'
import { hostAndPort, KeptObjects, openFuzzTarget, prepareBuckets, rootSession, snapshot } from './fuzz-target.ts'
import { INSPECTED, INSPECTOR_LINE, type ProcessMemory, readProcessMemories } from './process-memory.ts'
import { Sender } from './sender.ts'
import { storeRequests } from './store-requests.ts'

export interface FuzzOptions {
  requests: number
  /** The same seed generates the same requests; the answers also depend on timing. */
  seed: number
  /** Receives progress, line by line. */
  report?: (line: string) => void
}

export interface FuzzReport {
  requests: number
  /** Number of answers by API and status. */
  answers: Record<string, number>
  /** Memory after the first batches, and at the end. */
  memory: Partial<Record<Program, { before: ProcessMemory; after: ProcessMemory }>>
  /** Objects that were acknowledged, and found again after each restart. */
  kept: number
  /** Errors found, each with its request; at most `MAX_COMPLAINTS`. */
  complaints: string[]
}

const PROGRAMS = ['console', 'store'] as const
type Program = (typeof PROGRAMS)[number]

const BATCH = 1000
/** Batches after which the memory should not grow any more. */
const WARM_BATCHES = 10
const CONCURRENCY = 16
/** After this many requests, an object is stored that must be found again. */
const KEEP_EVERY = 50
const MAX_COMPLAINTS = 20
/** Allowed growth of a process in MiB: caches, and memory that the heap does not return. */
const GROWTH: ProcessMemory = { live: 32, resident: 128 }
/** Timeout for the store to start. */
const START_MS = 60_000

const requests = fc.oneof({ weight: 2, arbitrary: storeRequests }, { weight: 1, arbitrary: consoleRequests })

/**
 * Sends generated requests to a console with its store and checks: no undocumented 5xx, no crash, no request without an answer,
 * no memory leak, and all acknowledged data present after the store was killed and restarted.
 */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const data = await mkdtemp(join(tmpdir(), 'stowage-fuzz-'))
  const start = () =>
    startConsole({ data, env: { STOWAGE_TRUST_PROXY: '1', STOWAGE_LOG_LEVEL: 'error' }, execArgv: [INSPECTED] })
  let c = await start()
  const sender = new Sender(await openFuzzTarget(c), () => rootSession(c))
  const run = new Run(sender, options.report)
  let memory: FuzzReport['memory'] = {}
  try {
    memory = await sendAll(c, run, options)
    const expected = await snapshot(c, sender)

    process.kill(embeddedStoreProcess(c.pid), 'SIGKILL')
    await until(async () => (await sender.send(HEALTH).catch(() => undefined))?.status === 200)
    await run.compare(expected, await snapshot(c, sender), 'after the store was killed')

    const code = await c.stop()
    if (code !== 0) run.complain(`the console ended with ${code}`)
    c = await start()
    sender.place = { ...sender.place, store: hostAndPort(c.serverUrl), console: hostAndPort(c.url) }
    await run.compare(expected, await snapshot(c, sender), 'after a restart')
  } catch (error) {
    // Errors of the run's own requests count too.
    run.complain(error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    sender.close()
    await c[Symbol.asyncDispose]()
    await rm(data, { recursive: true, force: true })
  }
  return { requests: run.sent, answers: run.answers, memory, kept: run.kept.size, complaints: run.complaints }
}

/** @returns memory before and after */
async function sendAll(
  c: TestConsole,
  run: Run,
  { requests: total, seed, report = () => undefined }: FuzzOptions,
): Promise<FuzzReport['memory']> {
  const store = embeddedStoreProcess(c.pid)
  const warm: Record<Program, ProcessMemory>[] = []
  let now = await memory()
  for (let batch = 0; batch * BATCH < total && !run.over; batch++) {
    await prepareBuckets(run.sender)
    await run.batch(seed + batch, Math.min(BATCH, total - batch * BATCH))
    run.sender.place = await openFuzzTarget(c)
    run.checkLog(c.output())
    now = await memory()
    if (batch < WARM_BATCHES) warm.push(now)
    const used = PROGRAMS.map((program) => `${program} ${now[program].live} of ${now[program].resident} MiB in use`)
    report(`${run.sent} requests, ${run.complaints.length} complaints, ${used.join(', ')}`)
  }
  await prepareBuckets(run.sender)
  if (embeddedStoreProcess(c.pid) !== store) run.complain('the store died and was started again')
  // Code and caches that the first requests load are not a leak.
  const before = (program: Program, kind: keyof ProcessMemory) => Math.max(...warm.map((each) => each[program][kind]))
  for (const program of PROGRAMS)
    for (const kind of ['live', 'resident'] as const) {
      const [from, to] = [before(program, kind), now[program][kind]]
      if (to > from + GROWTH[kind]) run.complain(`the ${kind} memory of the ${program} grew from ${from} to ${to} MiB`)
    }
  const pair = (program: Program) => ({
    before: { live: before(program, 'live'), resident: before(program, 'resident') },
    after: now[program],
  })
  return { console: pair('console'), store: pair('store') }

  async function memory(): Promise<Record<Program, ProcessMemory>> {
    const found = await readProcessMemories(c.output())
    const of = (pid: number) => found.get(pid) ?? { live: 0, resident: 0 }
    return { console: of(c.pid), store: of(store) }
  }
}

/** Sends batches of requests and counts answers. */
class Run {
  sent = 0
  readonly answers: Record<string, number> = {}
  readonly complaints: string[] = []
  readonly kept: KeptObjects
  #read = 0

  constructor(
    readonly sender: Sender,
    private readonly report: (line: string) => void = () => undefined,
  ) {
    this.kept = new KeptObjects(sender)
  }

  get over(): boolean {
    return this.complaints.length >= MAX_COMPLAINTS
  }

  complain(line: string): void {
    if (this.over) return
    this.complaints.push(line)
    // Immediately, so that a long run that is aborted has still reported its findings.
    this.report(line)
  }

  async batch(seed: number, count: number): Promise<void> {
    const batch = fc.sample(requests, { seed, numRuns: count })
    let next = 0
    const work = async () => {
      while (next < count && !this.over) {
        const i = next++
        const request = batch[i]
        if (request) await this.#send(request, `seed ${seed}, request ${i}`)
        if (i % KEEP_EVERY === 0) await this.#keep(`${seed}-${i}`)
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
  }

  async #send(request: FuzzRequest, name: string): Promise<void> {
    this.sent++
    let problem: string | undefined
    let status = 'none'
    try {
      const answer = await this.sender.send(request)
      if (answer) {
        status = String(answer.status)
        problem = findComplaint(request, answer)
      }
    } catch (error) {
      problem = `no answer: ${String(error)}`
    }
    const kind = `${request.api} ${status}`
    this.answers[kind] = (this.answers[kind] ?? 0) + 1
    if (problem !== undefined) this.complain(`${problem} (${name}): ${JSON.stringify(request).slice(0, 2000)}`)
  }

  async #keep(name: string): Promise<void> {
    await this.kept.put(name).catch((error: unknown) => this.complain(String(error)))
  }

  /** Checks for errors that no client sees, such as an abandoned copy of the index. */
  checkLog(output: string): void {
    const lines = output.slice(this.#read).split('\n')
    // The last line may be incomplete.
    const whole = lines.slice(0, -1)
    this.#read += whole.reduce((length, line) => length + line.length + 1, 0)
    for (const line of whole) {
      // The answer to a failed request has already been checked.
      const isError =
        line.includes('"level":50') && !line.includes('"msg":"request failed"') && !INSPECTOR_LINE.test(line)
      if (isError) this.complain(`the log says: ${line.slice(0, 1000)}`)
    }
  }

  async compare(expected: readonly string[], found: readonly string[], when: string): Promise<void> {
    const there = new Set(found)
    for (const line of expected) if (!there.has(line)) this.complain(`not there ${when}: ${line.slice(0, 500)}`)
    await this.kept.check().catch((error: unknown) => this.complain(`${when}: ${String(error)}`))
  }
}

const HEALTH: FuzzRequest = {
  api: 's3',
  method: 'GET',
  path: '/minio/health/ready',
  query: '',
  headers: {},
  body: { kind: 'none' },
  as: 'anonymous',
  signed: 'header',
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + START_MS
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not so after ${START_MS} ms: ${condition}`)
    await wait(20)
  }
}
