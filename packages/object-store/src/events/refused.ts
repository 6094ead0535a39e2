import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OWNER_FILE } from '../folder.ts'

/** An event that a target has refused for good. */
export interface RefusedEvent {
  /** When it was refused, ISO 8601. */
  time: string
  /** In the words of the target. */
  reason: string
  /** The message. */
  body: string
}

const FILE = 'refused.jsonl'
/** More of them are counted and not kept. */
const MAX_KEPT = 1000

/** What a target has refused for good: a file beside its queue. Its methods must not run at the same time. */
export class RefusedEvents {
  readonly #path: string
  /** Also those that are not kept. */
  count = 0

  private constructor(folder: string) {
    this.#path = join(folder, FILE)
  }

  static async open(folder: string): Promise<RefusedEvents> {
    const refused = new RefusedEvents(folder)
    refused.count = (await refused.list()).length
    return refused
  }

  /** Counts an event at once; the file follows. */
  async add(body: string, reason: string): Promise<void> {
    this.count++
    if (this.count > MAX_KEPT) return
    const event: RefusedEvent = { time: new Date().toISOString(), reason, body }
    await appendFile(this.#path, `${JSON.stringify(event)}\n`, { mode: OWNER_FILE })
  }

  /** Those that are kept, oldest first. A line that a crash has cut off is left out. */
  async list(): Promise<RefusedEvent[]> {
    const text = await readFile(this.#path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
    return text.split('\n').flatMap((line) => {
      try {
        return [JSON.parse(line) as RefusedEvent]
      } catch {
        return []
      }
    })
  }

  /** Removes so many of the oldest ones; without a number all, and the count begins at 0. */
  async remove(oldest?: number): Promise<void> {
    const left = oldest === undefined ? [] : (await this.list()).slice(oldest)
    if (left.length === 0) await rm(this.#path, { force: true })
    else {
      await writeFile(`${this.#path}.new`, left.map((event) => `${JSON.stringify(event)}\n`).join(''), {
        mode: OWNER_FILE,
      })
      await rename(`${this.#path}.new`, this.#path)
    }
    this.count = left.length
  }
}
