import type { StoreDrive } from '../drives/drive.ts'
import { type DrivePool, storageFull } from '../drives/drive-pool.ts'
import { BlobCopy, DamagedBlob } from './blob-reader.ts'
import { BlobWriter, removeBlob, settleBlob, type WrittenCopy } from './blob-writer.ts'
import { returnChunk, takeChunk } from './chunk-pool.ts'

/** Bytes that are read from one drive before switching to the other. */
const SWITCH_DRIVE_BYTES = 64 * 2 ** 20
/** After this time the other copy is read, so that damage to either is met. */
const SWITCH_COPY_MS = 10 * 60_000

/** Location of a blob, from the index. */
interface BlobLocation {
  size: number
  slots: number[]
}

/** A range of a blob, and where the blob is. */
export interface BlobPiece {
  blob: string
  location: BlobLocation
  offset: number
  length: number
}

export interface BlobStoreEvents {
  /** A copy was found missing or damaged while it was read. @param object the blobs of the object that was read */
  onDamaged: (blob: string, slot: number, error: unknown, object: readonly string[]) => void
  /** A committed blob's file could not be given its final name. */
  onSettleError: (drive: StoreDrive, blob: string, error: unknown) => void
  /** A drive failed to take or give bytes. */
  onDriveError: (drive: StoreDrive, error: unknown) => void
}

/** Writes and reads blobs on the drives. Does not use the index: callers pass the locations. */
export class BlobStore {
  /** Blobs being read, with the number of readers: their files stay until the last has ended. */
  readonly #readers = new Map<string, number>()

  constructor(
    private readonly pool: DrivePool,
    private readonly events: BlobStoreEvents,
    /** ms since 1970. */
    private readonly now: () => number,
  ) {}

  /** @param bytes expected, for choosing drives with room @throws S3Error XMinioStorageFull */
  async create(bytes: number): Promise<BlobWriter> {
    const { pool } = this
    return BlobWriter.open(pool.chooseDrives(bytes), this.wantedCopies, {
      onDriveError: this.events.onDriveError,
      onBytes(drive, written) {
        pool.subtractFree(drive, written)
        if (drive.free < pool.minFree) throw storageFull()
      },
    })
  }

  /** Copies that a blob should have now. */
  get wantedCopies(): number {
    return Math.min(2, this.pool.drives.length)
  }

  /** The slots of the copies that are still there: a drive lost or formatted since they were begun has none. */
  presentSlots(copies: WrittenCopy[]): number[] {
    const there = copies.filter(({ slot, id }) => {
      const drive = this.pool.bySlot(slot)
      return drive?.usable && drive.id === id
    })
    // If every drive is missing, return all of them: one may return with its copy.
    return (there.length > 0 ? there : copies).map(({ slot }) => slot)
  }

  /** After the commit: gives the files their final names. */
  async settle(blob: string, slots: number[]): Promise<void> {
    for (const slot of slots) {
      const drive = this.pool.bySlot(slot)
      // Left in the temporary folder it is still found, and the next start moves it.
      if (drive?.usable) await settleBlob(drive, blob).catch((error) => this.events.onSettleError(drive, blob, error))
    }
  }

  /** Removes a blob's files. A drive that is away keeps its file; the caller remembers that. @returns slots done */
  async discard(blob: string, slots: number[]): Promise<number[]> {
    const done = await Promise.all(
      slots.map(async (slot) => {
        const drive = this.pool.bySlot(slot)
        if (!drive?.usable) return []
        try {
          await removeBlob(drive, blob)
          return [slot]
        } catch (error) {
          this.events.onDriveError(drive, error)
          return []
        }
      }),
    )
    return done.flat()
  }

  /** Keeps the files of blobs although nothing names them any more, until the function returned is called. */
  hold(blobs: readonly string[]): () => void {
    const held = [...new Set(blobs)]
    for (const blob of held) this.#readers.set(blob, (this.#readers.get(blob) ?? 0) + 1)
    return () => {
      for (const blob of held) {
        const left = (this.#readers.get(blob) ?? 1) - 1
        if (left > 0) this.#readers.set(blob, left)
        else this.#readers.delete(blob)
      }
    }
  }

  inUse(blob: string): boolean {
    return this.#readers.has(blob)
  }

  /**
   * The pieces' bytes in order, each checked before it leaves. A chunk is good until the next one is asked for.
   * @param object all blobs of the object that the pieces are of
   */
  async *read(pieces: BlobPiece[], object: readonly string[]): AsyncGenerator<Buffer, void, void> {
    const release = this.hold(pieces.map(({ blob }) => blob))
    // Two buffers are enough: one is sent while the other is filled. Allocating memory for each chunk would cost more than
    // reading it.
    const chunks = new ChunkPair()
    try {
      for (const piece of pieces) yield* this.#pieceChunks(piece, chunks, object)
    } finally {
      chunks.release()
      release()
    }
  }

  async *#pieceChunks(
    { blob, location, offset, length }: BlobPiece,
    chunks: ChunkPair,
    object: readonly string[],
  ): AsyncGenerator<Buffer> {
    const end = offset + length
    for (let at = offset; at < end; ) {
      const stretch = Math.floor(at / SWITCH_DRIVE_BYTES)
      const to = Math.min((stretch + 1) * SWITCH_DRIVE_BYTES, end)
      const drives = this.#order(location.slots, stretch)
      yield* this.#stretchChunks({ blob, location, offset: at, length: to - at }, drives, chunks, object)
      at = to
    }
  }

  /** Reads one chunk ahead, so that the disk works while the consumer sends. Changes to the next copy where one fails. */
  async *#stretchChunks(
    { blob, location, offset, length }: BlobPiece,
    drives: StoreDrive[],
    chunks: ChunkPair,
    object: readonly string[],
  ): AsyncGenerator<Buffer> {
    const end = offset + length
    let at = offset
    let failure: unknown
    for (const drive of drives) {
      let copy: BlobCopy | undefined
      let ahead: Promise<Buffer> | undefined
      try {
        copy = await BlobCopy.open(drive, blob, location.size)
        ahead = copy.read(at, end, chunks.next)
        while (ahead) {
          const chunk = await ahead
          at += chunk.length
          ahead = at < end ? ignoreRejection(copy.read(at, end, chunks.next)) : undefined
          yield chunk
        }
        return
      } catch (error) {
        // The reader of the chunks may have thrown: a client that left does not mean that the copy is damaged.
        if (!(error instanceof DamagedBlob)) throw error
        failure = error
        this.events.onDamaged(blob, drive.slot, error, object)
      } finally {
        await ahead?.catch(() => undefined)
        await copy?.close()
      }
    }
    throw failure ?? new Error(`no drive of blob ${blob} is there`)
  }

  /**
   * A blob's drives in the order in which to try them, drives being healed last. Neighbouring stretches come from different
   * drives, and the same stretch from the same one for a while: else the page cache would fill with both copies.
   */
  #order(slots: number[], stretch: number): StoreDrive[] {
    const drives = slots.flatMap((slot) => this.pool.bySlot(slot) ?? []).filter((drive) => drive.usable)
    const sound = drives.filter((drive) => drive.state === 'ok')
    const first = sound.length > 0 ? (stretch + Math.floor(this.now() / SWITCH_COPY_MS)) % sound.length : 0
    return [...sound.slice(first), ...sound.slice(0, first), ...drives.filter((drive) => drive.state !== 'ok')]
  }
}

/** Two buffers used in turn, allocated when first needed. */
class ChunkPair {
  readonly #chunks: Buffer[] = []
  #turn = 1

  readonly next = (): Buffer => {
    this.#turn = 1 - this.#turn
    const chunk = this.#chunks[this.#turn] ?? takeChunk()
    this.#chunks[this.#turn] = chunk
    return chunk
  }

  release(): void {
    for (const chunk of this.#chunks) returnChunk(chunk)
  }
}

/** A rejection reaches the later `await`, and is not reported as unhandled before that. */
function ignoreRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}
