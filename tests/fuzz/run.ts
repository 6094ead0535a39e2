import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { MiB } from '@stowage/contract/units'
import fc from 'fast-check'
import { startConsole, type TestConsole } from '../support/console.ts'
import { storeOf } from '../support/processes.ts'
import { consoleRequests } from './console-requests.ts'
import type { FuzzRequest } from './requests.ts'
import { Sender } from './sender.ts'
import { storeRequests } from './store-requests.ts'
import { complaintAbout } from './verdict.ts'
import { addressOf, KeptObjects, placeOf, prepareBuckets, rootSession, snapshot } from './world.ts'

export interface FuzzOptions {
  requests: number
  /** The same seed generates the same requests; the answers also depend on timing. */
  seed: number
  /** Receives progress, line by line. */
  tell?: (line: string) => void
}

export interface FuzzReport {
  requests: number
  /** Number of answers by API and status. */
  answers: Record<string, number>
  /** Memory in MiB without file pages, at the start and at the end. */
  memory: Partial<Record<Program, { before: number; after: number }>>
  /** Objects that were acknowledged, and found again after each restart. */
  kept: number
  /** Errors found, each with its request; at most `MAX_COMPLAINTS`. */
  complaints: string[]
}

type Program = 'console' | 'store'

const BATCH = 1000
/** Batches after which the memory should not grow any more. */
const WARM_BATCHES = 10
const CONCURRENCY = 16
/** After this many requests, an object is stored that must be found again. */
const KEEP_EVERY = 50
const MAX_COMPLAINTS = 20
/** Allowed growth of a process: caches, and memory that the heap does not return. */
const GROWTH_MIB = 96
/** Timeout for memory to shrink, and for the store to start. */
const SETTLE_MS = 60_000

const requests = fc.oneof({ weight: 2, arbitrary: storeRequests }, { weight: 1, arbitrary: consoleRequests })

/**
 * Sends generated requests to a console with its store and checks: no undocumented 5xx, no crash, no request without an answer,
 * no memory leak, and all acknowledged data present after the store was killed and restarted.
 */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const data = await mkdtemp(join(tmpdir(), 'stowage-fuzz-'))
  const start = () => startConsole({ data, env: { STOWAGE_TRUST_PROXY: '1', STOWAGE_LOG_LEVEL: 'error' } })
  let c = await start()
  const sender = new Sender(await placeOf(c), () => rootSession(c))
  const run = new Run(sender, options.tell)
  let memory: FuzzReport['memory'] = {}
  try {
    memory = await sendAll(c, run, options)
    const expected = await snapshot(c, sender)

    process.kill(storeOf(c.pid), 'SIGKILL')
    await until(async () => (await sender.send(HEALTH).catch(() => undefined))?.status === 200)
    await run.compare(expected, await snapshot(c, sender), 'after the store was killed')

    const code = await c.stop()
    if (code !== 0) run.complain(`the console ended with ${code}`)
    c = await start()
    sender.place = { ...sender.place, store: addressOf(c.serverUrl), console: addressOf(c.url) }
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
  { requests: total, seed, tell = () => undefined }: FuzzOptions,
): Promise<FuzzReport['memory']> {
  const pids: Record<Program, number> = { console: c.pid, store: storeOf(c.pid) }
  const warm: Record<Program, number>[] = []
  for (let batch = 0; batch * BATCH < total && !run.over; batch++) {
    await prepareBuckets(run.sender)
    await run.batch(seed + batch, Math.min(BATCH, total - batch * BATCH))
    run.sender.place = await placeOf(c)
    run.checkLog(c.output())
    const now = await memoryOf(pids)
    if (batch < WARM_BATCHES) warm.push(now)
    const memory = `console ${now.console} MiB, store ${now.store} MiB`
    tell(`${run.sent} requests, ${run.complaints.length} complaints, ${memory}`)
  }
  await prepareBuckets(run.sender)
  if (storeOf(c.pid) !== pids.store) run.complain('the store died and was started again')
  // Code and caches that the first requests load are not a leak. The least of several values is the one after a collection.
  const settled = warm.slice(WARM_BATCHES / 2)
  const least = (program: Program) =>
    Math.min(...(settled.length > 0 ? settled : warm).map((values) => values[program]))
  const before = { console: least('console'), store: least('store') }
  const after = await settledMemory(pids, before, run.sender)
  const memory = { console: pair('console'), store: pair('store') }
  for (const [program, mib] of Object.entries(memory)) {
    if (mib.after > mib.before + GROWTH_MIB) run.complain(`the ${program} grew from ${mib.before} to ${mib.after} MiB`)
  }
  return memory

  function pair(program: Program) {
    return { before: before[program], after: after[program] }
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
    private readonly tell: (line: string) => void = () => undefined,
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
    this.tell(line)
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
        problem = complaintAbout(request, answer)
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
      const isError = line.includes('"level":50') && !line.includes('"msg":"request failed"')
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

/** Returns the memory of processes without file pages, in MiB: the system decides about the pages of the index. */
async function memoryOf(pids: Record<Program, number>): Promise<Record<Program, number>> {
  const of = async (pid: number) => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    const kib = Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1])
    return Math.round((kib * 1024) / MiB)
  }
  return { console: await of(pids.console), store: await of(pids.store) }
}

/** Returns the memory once it has shrunk, or after `SETTLE_MS`. Without requests V8 would not collect garbage. */
async function settledMemory(
  pids: Record<Program, number>,
  before: Record<Program, number>,
  sender: Sender,
): Promise<Record<Program, number>> {
  const end = performance.now() + SETTLE_MS
  for (;;) {
    const now = await memoryOf(pids)
    const down = now.console <= before.console + GROWTH_MIB && now.store <= before.store + GROWTH_MIB
    if (down || performance.now() > end) return now
    for (let i = 0; i < 200; i++) {
      await sender.send(HEALTH)
      await sender.send({ ...HEALTH, api: 'console', path: '/api/v1/login' })
    }
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + SETTLE_MS
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not so after ${SETTLE_MS} ms: ${condition}`)
    await wait(20)
  }
}
