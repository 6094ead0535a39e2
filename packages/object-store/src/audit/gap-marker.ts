import { rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureFolder, OWNER_FILE_MODE } from '../lib/folder.ts'

const MARKER = 'audit-running'
/** The time of the marker changes at most this often (ms), because each change takes time from requests. */
const TOUCH_MS = 1000

/**
 * A file that exists while records are collected. If a start finds it, the previous process was killed, and records that were
 * not on disk yet are lost.
 */
export class GapMarker {
  readonly #path: string
  #touched = Number.NEGATIVE_INFINITY

  private constructor(path: string) {
    this.#path = path
  }

  /** @returns the marker, and the time (ms since 1970) from which records may be missing; undefined after a clean stop */
  static async create(folder: string): Promise<{ marker: GapMarker; since: number | undefined }> {
    await ensureFolder(folder)
    const marker = new GapMarker(join(folder, MARKER))
    const since = await stat(marker.#path).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    )
    await writeFile(marker.#path, '', { mode: OWNER_FILE_MODE })
    return { marker, since }
  }

  /** Called when all records so far are on disk. */
  async touch(): Promise<void> {
    if (performance.now() - this.#touched < TOUCH_MS) return
    this.#touched = performance.now()
    const now = new Date()
    // If another program has removed the marker, the next start cannot detect a gap.
    await utimes(this.#path, now, now).catch(() => undefined)
  }

  /** Called at a clean stop, when all records are on disk. */
  async remove(): Promise<void> {
    await rm(this.#path, { force: true })
  }
}

/** Returns the record that reports missing records. */
export function gapRecord(
  deploymentId: string,
  { now, since, count }: { now: number; since?: number | undefined; count?: number },
): object {
  return {
    version: '1',
    deploymentid: deploymentId,
    time: new Date(now).toISOString(),
    event: 'audit:gap',
    trigger: 'audit:gap',
    api: { name: 'audit:gap' },
    tags: {
      ...(since === undefined ? {} : { since: new Date(since).toISOString() }),
      ...(count === undefined ? {} : { count: String(count) }),
    },
    error:
      count === undefined
        ? 'The store was killed. Records of requests of its last 100 ms may be missing.'
        : 'A queue was full, or the disk was full or too slow, and records were dropped.',
  }
}
