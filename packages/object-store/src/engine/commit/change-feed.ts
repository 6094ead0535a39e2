import { JournalGap, readFrames } from '../../journal/read-frames.ts'
import type { StoreChange } from '../interface/types.ts'

export interface ChangeFeedOptions {
  /** Returns the current folders of the journal. */
  folders: () => string[]
  /** Number of the newest change at the start. */
  seq: number
  /** Returns the first frame that may contain changes after `seq`; undefined if the journal no longer has them. */
  findFrameAfter: (seq: number) => Promise<number | undefined>
  onError: (error: unknown) => void
}

type ChangeListener = (change: StoreChange) => void

/** Sends all durable changes to the listeners, in order. Late listeners first get earlier changes from the journal. */
export class ChangeFeed {
  readonly #listeners = new Set<ChangeListener>()
  /** Number of the newest published change. */
  #seq: number
  /** Its time; undefined until the first change after the start. */
  #time: number | undefined

  constructor(private readonly options: ChangeFeedOptions) {
    this.#seq = options.seq
  }

  get seq(): number {
    return this.#seq
  }

  publish(changes: StoreChange[]): void {
    for (const change of changes) {
      this.#seq = change.seq
      this.#time = change.time
      for (const listener of this.#listeners) this.#call(listener, change)
    }
  }

  /** When the newest change was made (ms since 1970); undefined when the journal does not have it. */
  async lastTime(): Promise<number | undefined> {
    if (this.#time !== undefined || this.#seq === 0) return this.#time
    const seq = this.#seq
    const from = await this.options.findFrameAfter(seq - 1)
    if (from === undefined) return undefined
    try {
      for await (const { changes } of readFrames(this.options.folders(), { from })) {
        const found = changes.find((change) => change.seq === seq)
        if (found) return this.#time ?? found.time
      }
    } catch (error) {
      // The frames are damaged in all copies. The time is unknown, but the store can start.
      if (!(error instanceof JournalGap)) throw error
    }
    return undefined
  }

  subscribe(listener: ChangeListener, after?: number): () => void {
    let ended = false
    const guarded: ChangeListener = (change) => {
      if (!ended) listener(change)
    }
    if (after === undefined || after >= this.#seq) this.#listeners.add(guarded)
    else this.#catchUp(guarded, after, () => ended).catch(this.options.onError)
    return () => {
      ended = true
      this.#listeners.delete(guarded)
    }
  }

  async #catchUp(listener: ChangeListener, after: number, ended: () => boolean): Promise<void> {
    let seq = after
    while (seq < this.#seq) {
      const from = await this.options.findFrameAfter(seq)
      if (from === undefined) throw new RangeError(`the journal no longer holds the changes behind ${seq}`)
      const until = this.#seq
      for await (const frame of readFrames(this.options.folders(), { from })) {
        for (const change of frame.changes) {
          if (ended()) return
          if (change.seq <= seq || change.seq > until) continue
          this.#call(listener, change)
          seq = change.seq
        }
        if (seq >= until) break
      }
      if (seq < until) throw new RangeError(`the journal ends at change ${seq}, before ${until}`)
    }
    // No change can come between the last comparison and this line.
    this.#listeners.add(listener)
  }

  /** Catches errors of a listener: the write is already acknowledged, and the other listeners must be called too. */
  #call(listener: ChangeListener, change: StoreChange): void {
    try {
      listener(change)
    } catch (error) {
      this.options.onError(error)
    }
  }
}
