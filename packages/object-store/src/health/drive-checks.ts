import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long an answer counts (ms). Anyone may ask for the health, so not every request reads from the drives. */
const FRESH_MS = 250

/** Checks whether drives answer, because a hanging disk causes no error. */
export class DriveChecks {
  /** Pending and recent checks by path, so that a drive, which may hang, is not checked again by each call. */
  readonly #asked = new Map<string, Promise<boolean>>()

  /** Returns how many of these folders can be read within a time. */
  async count(paths: readonly string[], deadlineMs: number): Promise<number> {
    const deadline = new AbortController()
    const late = sleep(deadlineMs, false, { signal: deadline.signal, ref: false }).catch(() => false)
    const answers = await Promise.all(paths.map((each) => Promise.race([this.#ask(each), late])))
    deadline.abort()
    return answers.filter((answer) => answer).length
  }

  #ask(drive: string): Promise<boolean> {
    const asked = this.#asked.get(drive)
    if (asked) return asked
    const answer = readFile(path.join(drive, 'drive.json')).then(
      () => true,
      () => false,
    )
    this.#asked.set(drive, answer)
    void answer.then(() => setTimeout(() => this.#asked.delete(drive), FRESH_MS).unref())
    return answer
  }
}
