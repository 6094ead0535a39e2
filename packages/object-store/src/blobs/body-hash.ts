import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { crc32 } from 'node:zlib'
import { BLOB_BLOCK_BYTES } from './blob-format.ts'

/** Hashes one body, chunk by chunk: MD5 of all of it, and a CRC-32 per block. */
export interface BodyHash {
  /** @param chunk whole blocks, but for the last one; not to be changed until the promise is settled @returns its blocks' sums */
  update(chunk: Buffer): Promise<number[]>
  /** MD5, hexadecimal; nothing may follow. */
  digest(): Promise<string>
}

/** Hashes in this thread: for bodies so small that passing them to another would cost more. */
export function hashInThisThread(): BodyHash {
  const md5 = createHash('md5')
  return {
    update(chunk) {
      md5.update(chunk)
      const sums: number[] = []
      for (let at = 0; at < chunk.length; at += BLOB_BLOCK_BYTES)
        sums.push(crc32(chunk.subarray(at, at + BLOB_BLOCK_BYTES)))
      return Promise.resolve(sums)
    },
    digest: () => Promise.resolve(md5.digest('hex')),
  }
}

/**
 * Hashes in another thread: MD5 runs at about 550 MB/s, so a large body would block other requests for seconds in total. Chunks
 * are passed by reference and must be in shared memory.
 */
export function hashInOtherThread(): BodyHash {
  const thread = nextThread()
  const id = thread.begin()
  return {
    update: (chunk) => thread.ask({ id, chunk: new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length) }),
    digest: async () => String(await thread.ask({ id })),
  }
}

// As text: the program is bundled into one file, and a thread needs a separate file or text.
const HASH_PROGRAM = `
const { parentPort } = require('node:worker_threads')
const { createHash } = require('node:crypto')
const { crc32 } = require('node:zlib')
const hashes = new Map()
parentPort.on('message', ({ id, chunk }) => {
  if (!chunk) {
    parentPort.postMessage(hashes.get(id)?.digest('hex') ?? '')
    hashes.delete(id)
    return
  }
  let md5 = hashes.get(id)
  if (!md5) hashes.set(id, (md5 = createHash('md5')))
  md5.update(chunk)
  const sums = []
  for (let at = 0; at < chunk.length; at += ${BLOB_BLOCK_BYTES}) sums.push(crc32(chunk.subarray(at, at + ${BLOB_BLOCK_BYTES})))
  parentPort.postMessage(sums)
})`

type HashRequest = { id: number; chunk?: Uint8Array }
type HashWaiter = { resolve: (answer: unknown) => void; reject: (error: unknown) => void }

/** A thread that answers in the order in which it was asked. */
class HashThread {
  readonly #worker = new Worker(HASH_PROGRAM, { eval: true })
  #waiting: HashWaiter[] = []
  #ids = 0
  failed = false

  constructor() {
    this.#worker.unref()
    this.#worker.on('message', (answer) => {
      this.#waiting.shift()?.resolve(answer)
      if (this.#waiting.length === 0) this.#worker.unref()
    })
    this.#worker.on('error', (error) => {
      this.failed = true
      for (const { reject } of this.#waiting.splice(0)) reject(error)
    })
  }

  begin(): number {
    return this.#ids++
  }

  ask<T>(question: HashRequest): Promise<T> {
    return new Promise((resolve, reject) => {
      // While it has work it keeps the process alive, and only then.
      this.#worker.ref()
      this.#waiting.push({ resolve: (answer) => resolve(answer as T), reject })
      this.#worker.postMessage(question)
    })
  }
}

const threads: HashThread[] = []
let turn = 0

/** The threads take turns; each is started when its first turn comes. */
function nextThread(): HashThread {
  const at = turn++ % Math.max(1, Math.min(4, availableParallelism() - 1))
  const known = threads[at]
  if (known && !known.failed) return known
  const fresh = new HashThread()
  threads[at] = fresh
  return fresh
}
