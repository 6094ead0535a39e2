import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { Engine, EngineOptions, ObjectHandle, PutObjectOptions } from '../interface/types.ts'
import { openEngine } from '../open-engine.ts'

/** A store in a temporary folder for one test; removed at the end of its scope. */
export class TestEngine {
  readonly root = mkdtempSync(join(tmpdir(), 'stowage-engine-'))
  readonly options: EngineOptions
  #engine: Engine | undefined

  private constructor(drives: number, options: Partial<EngineOptions>) {
    this.options = {
      data: join(this.root, 'data'),
      drives: Array.from({ length: drives }, (_, i) => join(this.root, `drive${i + 1}`)),
      minFree: 0,
      ...options,
    }
  }

  static async start(drives = 4, options: Partial<EngineOptions> = {}): Promise<TestEngine> {
    const store = new TestEngine(drives, options)
    await store.open()
    return store
  }

  get engine(): Engine {
    if (!this.#engine) throw new Error('the engine is closed')
    return this.#engine
  }

  async open(): Promise<Engine> {
    this.#engine = await openEngine(this.options)
    return this.#engine
  }

  async close(): Promise<void> {
    const engine = this.#engine
    this.#engine = undefined
    await engine?.close()
  }

  /** Closes and reopens the store, as a restart does. */
  async reopen(whileClosed?: () => void): Promise<Engine> {
    await this.close()
    whileClosed?.()
    return this.open()
  }

  put(bucket: string, key: string, content: string | Buffer = key, options: PutObjectOptions = {}) {
    return this.engine.putObject(bucket, key, bodyStream(content), options)
  }

  async text(bucket: string, key: string, versionId?: string): Promise<string> {
    return (await readBytes(this.engine.getObject(bucket, key, versionId))).toString()
  }

  /** Returns the keys and common prefixes of a listing. */
  list(bucket: string, query: Partial<Parameters<Engine['listObjects']>[1]> = {}): string[] {
    const page = this.engine.listObjects(bucket, { prefix: '', delimiter: '', after: '', limit: 1000, ...query })
    return page.entries.map((entry) => ('prefix' in entry ? entry.prefix : entry.object.key))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
    rmSync(this.root, { recursive: true, force: true })
  }
}

export function bodyStream(content: string | Buffer): Readable {
  return Readable.from([Buffer.from(content)], { objectMode: false })
}

export async function readBytes(handle: ObjectHandle, range?: { start: number; end: number }): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of handle.read(range)) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/** Polls until a condition holds. */
export async function waitUntil(condition: () => boolean | Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const end = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not so after ${timeoutMs} ms: ${condition}`)
    await wait(10)
  }
}

/** Returns test data without repetition, so that swapped parts are detected. */
export function testBytes(size: number, seed = 1): Buffer {
  const bytes = Buffer.allocUnsafe(size)
  let state = seed >>> 0 || 1
  for (let i = 0; i + 4 <= size; i += 4) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    bytes.writeUInt32LE(state, i)
  }
  bytes.fill(seed & 0xff, size - (size % 4))
  return bytes
}
