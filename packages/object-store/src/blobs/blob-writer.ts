import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { StoreDrive } from '../drives/drive.ts'
import { storageFull } from '../drives/drive-pool.ts'
import { isDiskFull, makeFolder } from '../drives/durable-files.ts'
import { driveProbe } from '../lib/probe.ts'
import { BlobFile } from './blob-file.ts'
import { encodeBlobTail } from './blob-format.ts'
import { type BodyHash, hashInOtherThread, hashInThisThread } from './body-hash.ts'
import { CHUNK_BYTES, returnChunk, takeChunk } from './chunk-pool.ts'

const fs = { rename: promisify(rename), rm: promisify(rm) }

/** Chunks on their way per blob; with the one that is being filled, memory per upload is this many and one. */
const IN_FLIGHT = 3

/** A copy that was written: the drive's slot, and its identity when the copy was begun. */
export interface WrittenCopy {
  slot: number
  id: string
}

export interface BlobWriterEvents {
  /** A drive failed while the others went on. */
  onDriveError: (drive: StoreDrive, error: unknown) => void
  /** Bytes are about to be written; may throw to end the blob. */
  onBytes: (drive: StoreDrive, bytes: number) => void
}

/** A blob that is hashed while it is written to its drives at the same time. Invisible until a commit refers to it. */
export class BlobWriter {
  readonly blob = randomBytes(16).toString('hex')
  #hash: BodyHash | undefined
  readonly #sums: number[] = []
  readonly #chunks: Promise<void>[] = []
  #targets: BlobFile[] = []
  /** Targets that failed. Closed at the end only: a write on its way must not find its number given to another file. */
  #dropped: BlobFile[] = []
  #chunk: Buffer | undefined
  #filled = 0
  #written = 0
  #failure: unknown

  private constructor(private readonly events: BlobWriterEvents) {}

  /**
   * @param drives in order of preference; a later one replaces one that fails at once
   * @param copies how many are wanted
   * @throws S3Error XMinioStorageFull, or the first drive's error, when no drive takes it
   */
  static async open(drives: StoreDrive[], copies: number, events: BlobWriterEvents): Promise<BlobWriter> {
    const writer = new BlobWriter(events)
    const candidates = [...drives]
    while (writer.#targets.length < copies && candidates.length > 0) {
      await Promise.all(candidates.splice(0, copies - writer.#targets.length).map((drive) => writer.#open(drive)))
    }
    writer.#checkTargets()
    return writer
  }

  async #open(drive: StoreDrive): Promise<void> {
    try {
      this.#targets.push(await BlobFile.open(drive, this.blob))
    } catch (error) {
      this.#failed(drive, error)
    }
  }

  get size(): number {
    return this.#written + this.#filled
  }

  /** Takes bytes; resolves when more may come. The bytes are copied, so the caller may reuse them. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let taken = 0; taken < bytes.length; ) {
      const part = bytes.subarray(taken, taken + CHUNK_BYTES - this.#filled)
      this.#chunk ??= takeChunk()
      this.#chunk.set(part, this.#filled)
      this.#filled += part.length
      taken += part.length
      if (this.#filled === CHUNK_BYTES) await this.#flush()
    }
  }

  /** Ends the blob: resolves when it is whole and synced on the drives that are left. */
  async finish(): Promise<{ blob: string; size: number; copies: WrittenCopy[]; md5: string }> {
    if (this.#filled > 0) await this.#flush()
    await Promise.all(this.#chunks)
    const hash = this.#hash ?? hashInThisThread()
    // Asked once: when the rest fails, `abort` has no hash to end.
    this.#hash = undefined
    const md5 = await hash.digest()
    const tail = encodeBlobTail(this.blob, this.#written, this.#sums)
    await this.#onTargets(async (target) => {
      await target.write(tail, this.#written)
      await target.sync()
    })
    this.#checkTargets()
    const copies = this.#targets.map(({ drive, id }) => ({ slot: drive.slot, id }))
    await this.#close()
    return { blob: this.blob, size: this.#written, copies, md5 }
  }

  /** Gives up: removes what was written. After `finish` it does nothing. */
  async abort(): Promise<void> {
    await Promise.allSettled(this.#chunks)
    // Takes it off the thread's list.
    void this.#hash?.digest().catch(() => undefined)
    this.#dropped.push(...this.#targets.splice(0))
    await this.#close()
  }

  async #flush(): Promise<void> {
    const buffer = this.#chunk ?? takeChunk()
    const chunk = buffer.subarray(0, this.#filled)
    const position = this.#written
    this.#written += this.#filled
    this.#filled = 0
    this.#chunk = undefined
    for (const { drive } of this.#targets) this.events.onBytes(drive, chunk.length)
    const whole = chunk.length === CHUNK_BYTES
    // A body that fills its first chunk is large enough for another thread.
    this.#hash ??= whole ? hashInOtherThread() : hashInThisThread()
    const hashed = this.#hash.update(chunk).then((sums) => this.#sums.push(...sums))
    const written = this.#onTargets((target) =>
      whole ? target.writeChunk(chunk, position) : target.write(chunk, position),
    )
    const done = Promise.all([hashed, written]).then(() => returnChunk(buffer))
    // The later `await` gets the error; until then it must not count as unhandled.
    done.catch(() => undefined)
    this.#chunks.push(done)
    while (this.#chunks.length >= IN_FLIGHT) await this.#chunks.shift()
    this.#checkTargets()
  }

  async #onTargets(work: (target: BlobFile) => Promise<void>): Promise<void> {
    await Promise.all(
      this.#targets.map(async (target) => {
        try {
          await work(target)
        } catch (error) {
          if (!this.#targets.includes(target)) return
          this.#targets = this.#targets.filter((other) => other !== target)
          this.#dropped.push(target)
          this.#failed(target.drive, error)
        }
      }),
    )
  }

  #failed(drive: StoreDrive, error: unknown): void {
    this.#failure ??= error
    this.events.onDriveError(drive, error)
  }

  #checkTargets(): void {
    if (this.#targets.length > 0) return
    throw isDiskFull(this.#failure) ? storageFull(this.#failure) : this.#failure
  }

  async #close(): Promise<void> {
    for (const target of [...this.#targets, ...this.#dropped]) await target.close()
    for (const target of this.#dropped) await target.remove()
    this.#targets = []
    this.#dropped = []
    if (this.#chunk) returnChunk(this.#chunk)
    this.#chunk = undefined
  }
}

/** Moves a committed blob to its place. Its files are found under either name, so this may happen late or not at all. */
export async function settleBlob(drive: StoreDrive, blob: string): Promise<void> {
  if (!driveProbe.isOn) return await moveToFinalName(drive, blob)
  await driveProbe.measure('os', 'os.Rename', drive.blobPath(blob), () => moveToFinalName(drive, blob))
}

async function moveToFinalName(drive: StoreDrive, blob: string): Promise<void> {
  const path = drive.blobPath(blob)
  try {
    await fs.rename(drive.temporaryPath(blob), path)
  } catch (error) {
    if (!isFileMissing(error)) throw error
    await makeFolder(dirname(path))
    await fs.rename(drive.temporaryPath(blob), path)
  }
}

function isFileMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** Deletes a blob's file under either name; not an error if it does not exist. */
export async function removeBlob(drive: StoreDrive, blob: string): Promise<void> {
  if (!driveProbe.isOn) return await removeFiles(drive, blob)
  await driveProbe.measure('storage', 'storage.RemoveBlob', drive.blobPath(blob), () => removeFiles(drive, blob))
}

async function removeFiles(drive: StoreDrive, blob: string): Promise<void> {
  await fs.rm(drive.temporaryPath(blob), { force: true })
  await fs.rm(drive.blobPath(blob), { force: true })
}
