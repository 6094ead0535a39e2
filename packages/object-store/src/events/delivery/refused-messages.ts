import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OWNER_FILE_MODE } from '../../lib/folder.ts'

/** An event that a target has refused permanently. */
export interface RefusedMessage {
  /** Time of the refusal, ISO 8601. */
  time: string
  /** Error message of the target. */
  reason: string
  /** The message. */
  body: string
}

const FILE = 'refused.jsonl'
/** Maximum number of stored events; further ones are only counted. */
const MAX_KEPT = 1000

/** Events that a target has refused permanently, in a file next to its queue. Its methods must not run at the same time. */
export class RefusedMessages {
  readonly #path: string
  /** Includes those that are not stored. */
  count = 0

  private constructor(folder: string) {
    this.#path = join(folder, FILE)
  }

  static async open(folder: string): Promise<RefusedMessages> {
    const refused = new RefusedMessages(folder)
    refused.count = (await refused.list()).length
    return refused
  }

  /** Counts an event immediately, then writes it to the file. */
  async add(body: string, reason: string): Promise<void> {
    this.count++
    if (this.count > MAX_KEPT) return
    const event: RefusedMessage = { time: new Date().toISOString(), reason, body }
    await appendFile(this.#path, `${JSON.stringify(event)}\n`, { mode: OWNER_FILE_MODE })
  }

  /** Returns the stored events, oldest first. Skips a line truncated by a crash. */
  async list(): Promise<RefusedMessage[]> {
    const text = await readFile(this.#path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
    return text.split('\n').flatMap((line) => {
      try {
        return [JSON.parse(line) as RefusedMessage]
      } catch {
        return []
      }
    })
  }

  /** Deletes the `oldest` oldest events; without a number all of them, and resets the count. */
  async remove(oldest?: number): Promise<void> {
    const left = oldest === undefined ? [] : (await this.list()).slice(oldest)
    if (left.length === 0) await rm(this.#path, { force: true })
    else {
      await writeFile(`${this.#path}.new`, left.map((event) => `${JSON.stringify(event)}\n`).join(''), {
        mode: OWNER_FILE_MODE,
      })
      await rename(`${this.#path}.new`, this.#path)
    }
    this.count = left.length
  }
}
