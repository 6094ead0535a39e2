import { open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureFolder, OWNER_FILE } from '../folder.ts'
import { type RefusedEvent, RefusedEvents } from './refused.ts'

/** An event on its way to a target. */
export interface QueuedMessage {
  /** Number of the change that it is of; 0 for one that the journal does not have. */
  seq: number
  /** What must arrive in order: bucket and key. */
  lane: string
  body: string
}

/** Messages per file. A file goes when all of its messages have been delivered. */
const SEGMENT = 1000
const FILE = /^(\d{15})\.jsonl$/
const POSITION = 'position.json'
/**
 * Messages for one target, on disk: what does not fit in the limit is dropped and counted. Memory holds one file's worth,
 * however many wait. A message stays until it is acknowledged, and may be handed out again after a crash.
 */
export class EventQueue {
  /** Number of the next message to be added, and of the first that waits. */
  #end = 0
  #begin = 0
  /** Number of the first message that `next` gave last. */
  #given = 0
  /** Numbers of the first messages of the files, in order. */
  #files: number[] = []
  #head: { first: number; messages: QueuedMessage[] } | undefined
  #tail: Promise<unknown> = Promise.resolve()
  #wake: (() => void) | undefined
  #ended = false
  /** Of the newest change that was added. */
  lastSeq = 0
  /** Messages dropped because the queue was full, or lost with their files. */
  dropped = 0

  private constructor(
    private readonly folder: string,
    private readonly limit: number,
    private readonly refusals: RefusedEvents,
  ) {}

  static async open(folder: string, limit: number): Promise<EventQueue> {
    await ensureFolder(folder)
    const queue = new EventQueue(folder, limit, await RefusedEvents.open(folder))
    await queue.#load()
    return queue
  }

  /** Messages in the queue. */
  get length(): number {
    return this.#end - this.#begin
  }

  /** Messages that were set aside. */
  get refused(): number {
    return this.refusals.count
  }

  /** Resolves when the messages are synced, except those dropped because the queue was full. */
  add(messages: readonly QueuedMessage[]): Promise<void> {
    return this.#inOrder(() => this.#add(messages))
  }

  /** Up to so many messages, oldest first; waits until there is one. Empty after `end`. */
  async next(count: number): Promise<QueuedMessage[]> {
    for (;;) {
      while (this.length === 0 && !this.#ended) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
      if (this.#ended) return []
      const first = this.#files.findLast((file) => file <= this.#begin) ?? this.#begin
      const at = this.#begin - first
      if (this.#head?.first !== first || this.#head.messages.length <= at) {
        this.#head = { first, messages: await this.#read(first) }
      }
      const found = this.#head.messages.slice(at, at + Math.min(count, this.length))
      this.#given = this.#begin
      if (found.length > 0) return found
      await this.#inOrder(async () => this.#lose(first))
    }
  }

  /** The oldest messages, so many, have been delivered. */
  acknowledge(count: number): Promise<void> {
    this.#begin = Math.max(this.#begin, this.#given + count)
    return this.#inOrder(() => this.#savePosition())
  }

  /** Sets a refused message aside, up to 1000 of them. It is acknowledged like the others. */
  setAside(body: string, reason: string): Promise<void> {
    return this.#inOrder(() => this.refusals.add(body, reason))
  }

  /** The messages that were set aside, oldest first. */
  listRefused(): Promise<RefusedEvent[]> {
    return this.#inOrder(() => this.refusals.list())
  }

  /**
   * Puts messages that were set aside at the end of the queue, as many as it has room for. After a crash some may be both
   * there and set aside.
   * @param laneOf what must arrive in order
   * @returns how many
   */
  resendRefused(laneOf: (body: string) => string): Promise<number> {
    return this.#inOrder(async () => {
      const kept = await this.refusals.list()
      const sent = kept.slice(0, Math.max(this.limit - this.length, 0))
      if (sent.length === 0) return 0
      await this.#add(sent.map(({ body }) => ({ seq: 0, lane: laneOf(body), body })))
      await this.refusals.remove(sent.length < kept.length ? sent.length : undefined)
      return sent.length
    })
  }

  /** Forgets the messages that were set aside. */
  dropRefused(): Promise<void> {
    return this.#inOrder(() => this.refusals.remove())
  }

  /** Ends the queue: waiting readers get nothing. */
  end(): void {
    this.#ended = true
    this.#wake?.()
  }

  /** Resolves when everything that was asked for is on disk. */
  async close(): Promise<void> {
    await this.#tail
  }

  /** One change of the folder after the other. */
  #inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#tail.then(work)
    this.#tail = done.catch(() => undefined)
    return done
  }

  async #add(messages: readonly QueuedMessage[]): Promise<void> {
    const room = Math.max(this.limit - this.length, 0)
    const taken = messages.slice(0, room)
    this.dropped += messages.length - taken.length
    for (let at = 0; at < taken.length; ) {
      const last = this.#files.at(-1)
      const isFull = last === undefined || this.#end - last >= SEGMENT
      if (isFull) this.#files.push(this.#end)
      const file = isFull ? this.#end : last
      const part = taken.slice(at, at + SEGMENT - (this.#end - file))
      if (!(await this.#append(file, part))) {
        this.#lose(file)
        continue
      }
      this.#end += part.length
      at += part.length
    }
    this.lastSeq = Math.max(this.lastSeq, ...messages.map(({ seq }) => seq))
    this.#wake?.()
  }

  /** Appends lines, all or none. @returns false when the lines that were in the file are gone */
  async #append(file: number, messages: readonly QueuedMessage[]): Promise<boolean> {
    await ensureFolder(this.folder)
    const handle = await open(this.#path(file), 'a', OWNER_FILE)
    try {
      const { size } = await handle.stat()
      if (size === 0 && file < this.#end) return false
      try {
        await handle.appendFile(messages.map((message) => `${JSON.stringify(message)}\n`).join(''))
        await handle.datasync()
      } catch (error) {
        // Half a line would spoil the next one.
        await handle.truncate(size).catch(() => undefined)
        throw error
      }
      return true
    } finally {
      await handle.close()
    }
  }

  /** Somebody removed a file: its messages count as dropped, and the queue goes on behind them. */
  #lose(file: number): void {
    if (this.#begin >= file) {
      const behind = this.#files.find((each) => each > file) ?? this.#end
      this.dropped += behind - this.#begin
      this.#begin = behind
      this.#head = undefined
    }
    this.#files = this.#files.filter((each) => each !== file)
  }

  async #savePosition(): Promise<void> {
    const path = join(this.folder, POSITION)
    await ensureFolder(this.folder)
    await writeFile(`${path}.new`, JSON.stringify({ begin: this.#begin }), { mode: OWNER_FILE })
    await rename(`${path}.new`, path)
    // The last file stays, because its messages tell how far the changes were taken over.
    while ((this.#files[1] ?? Number.POSITIVE_INFINITY) <= this.#begin) {
      const file = this.#files.shift()
      if (file !== undefined) await rm(this.#path(file), { force: true })
    }
  }

  async #load(): Promise<void> {
    this.#files = (await readdir(this.folder))
      .flatMap((name) => FILE.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b)
    const last = this.#files.at(-1)
    if (last === undefined) return
    const messages = await this.#read(last)
    this.#end = last + messages.length
    this.lastSeq = Math.max(0, ...messages.map(({ seq }) => seq))
    this.#begin = Math.min(Math.max(await this.#savedBegin(), this.#files[0] ?? 0), this.#end)
  }

  async #savedBegin(): Promise<number> {
    try {
      const { begin } = JSON.parse(await readFile(join(this.folder, POSITION), 'utf8')) as { begin: unknown }
      return typeof begin === 'number' ? begin : 0
    } catch {
      // Without it the oldest messages are delivered once more.
      return 0
    }
  }

  /** The messages of a file. A line that a crash has cut is taken off, so that what comes next begins a line. */
  async #read(file: number): Promise<QueuedMessage[]> {
    const path = this.#path(file)
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
    const end = text.lastIndexOf('\n') + 1
    if (end < text.length && file === this.#files.at(-1) && this.#end === 0) {
      await writeFile(path, text.slice(0, end), { flush: true, mode: OWNER_FILE })
    }
    return text
      .slice(0, end)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as QueuedMessage)
  }

  #path(file: number): string {
    return join(this.folder, `${String(file).padStart(15, '0')}.jsonl`)
  }
}
