import type { Iam } from './iam.ts'

const DAY_MS = 24 * 3600_000
/** Delay (ms) before new days are stored, so that several are stored together. */
const COLLECT_MS = 60_000

/**
 * Records the day on which each access key of a user or service account was last used. A request only needs a lookup; each key
 * is written at most once a day, together with others.
 */
export class KeyUse {
  readonly #iam: Iam
  readonly #collectMs: number
  readonly #onFailure: (error: unknown) => void
  /** Days that are not stored yet, by access key. */
  readonly #pending = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  /** @param options.collectMs for tests */
  constructor(iam: Iam, options: { collectMs?: number; onFailure: (error: unknown) => void }) {
    this.#iam = iam
    this.#collectMs = options.collectMs ?? COLLECT_MS
    this.#onFailure = options.onFailure
  }

  /** Records a request signed with a key. Keys of sessions and unknown keys are ignored. */
  recordUse(accessKey: string): void {
    if (accessKey === '') return
    const day = Math.floor(this.#iam.now() / DAY_MS)
    if (this.#lastDay(accessKey) === day || !this.#isKept(accessKey)) return
    this.#pending.set(accessKey, day)
    this.#timer ??= setTimeout(() => void this.flush(), this.#collectMs).unref()
  }

  /** Returns the day of the last use, such as `2026-11-22`, UTC; undefined if no use is recorded. */
  lastUsed(accessKey: string): string | undefined {
    const day = this.#lastDay(accessKey)
    return day === undefined ? undefined : new Date(day * DAY_MS).toISOString().slice(0, 10)
  }

  /** Stores recorded days. A failure is reported, and loses at most these days. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const noted = this.#pending
    if (noted.size === 0) return
    try {
      await this.#iam.update(() =>
        // Records of keys that were deleted meanwhile are dropped.
        [...noted].flatMap(([key, day]) => (this.#isKept(key) ? [this.#iam.keyUse.change(key, { day })] : [])),
      )
    } catch (error) {
      this.#onFailure(error)
    }
    for (const [key, day] of noted) if (this.#pending.get(key) === day) this.#pending.delete(key)
  }

  #lastDay(accessKey: string): number | undefined {
    return this.#pending.get(accessKey) ?? this.#iam.keyUse.get(accessKey)?.day
  }

  #isKept(accessKey: string): boolean {
    return this.#iam.serviceAccounts.has(accessKey) || this.#iam.users.has(accessKey)
  }
}
