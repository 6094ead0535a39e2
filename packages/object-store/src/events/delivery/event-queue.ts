import { open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureFolder, OWNER_FILE_MODE } from '../../lib/folder.ts'
import { type RefusedMessage, RefusedMessages } from './refused-messages.ts'

/** A queued event for a target. */
export interface QueuedMessage {
  /** Number of its change; 0 for an event that is not in the journal. */
  seq: number
  /** Messages of one lane (bucket and key) must arrive in order. */
  lane: string
  body: string
}

/** Maximum number of messages in a file. A file is deleted when all of its messages have been delivered. */
const FILE_MESSAGES = 1000
/** Maximum size of a file before a new one is started, because files are read as a whole. */
const FILE_BYTES = 1 << 20
const FILE = /^(\d{15})\.jsonl$/
const POSITION = 'position.json'
/** How long a queue without syncs waits to save its position (ms), because each save takes several calls of the system. */
const SAVE_MS = 1_000
/**
 * Queue on disk with the messages for one target. Messages beyond the limit are dropped and counted. Only one file's worth is
 * in memory. A message remains until it is acknowledged, and may be delivered again after a crash.
 */
export class EventQueue {
  /** Number of the next message to add, and of the first one waiting. */
  #end = 0
  #begin = 0
  /** Number of the first message that the last call of `next` returned. */
  #firstReturned = 0
  /** Numbers of the first messages of the files, in order. */
  #files: number[] = []
  /** Size of the last file in bytes. */
  #lastBytes = 0
  /** Messages of the file with the first waiting message, read from disk or kept when they were written. */
  #head: { first: number; messages: QueuedMessage[] } | undefined
  #tail: Promise<unknown> = Promise.resolve()
  /** A save of the position that has not begun. */
  #saving: Promise<void> | undefined
  /** Ends the wait before a save. */
  #saveNow: (() => void) | undefined
  #closed = false
  #wake: (() => void) | undefined
  #ended = false
  /** Number of the newest change that was added. */
  lastSeq = 0
  /** Messages dropped because the queue was full, or lost with their files. */
  dropped = 0

  /** Undefined until the folder was read. */
  #refusals: RefusedMessages | undefined

  /**
   * The folder is read with the first call. If it cannot be read, each call tries it again.
   * @param isSynced whether messages are synced to the drive before `add` resolves. Otherwise the operating system writes them
   * later: they survive a kill of this process, but not always a power failure.
   */
  constructor(
    private readonly folder: string,
    private readonly limit: number,
    private readonly isSynced = true,
  ) {}

  static async open(folder: string, limit: number): Promise<EventQueue> {
    const queue = new EventQueue(folder, limit)
    await queue.ensureOpen()
    return queue
  }

  /** Reads the folder if that has not succeeded yet. @throws Error of the file system */
  async ensureOpen(): Promise<void> {
    if (!this.#refusals) await this.#inSequence(async () => undefined)
  }

  /** Number of messages in the queue. */
  get length(): number {
    return this.#end - this.#begin
  }

  /** Number of refused messages. */
  get refused(): number {
    return this.#refusals?.count ?? 0
  }

  /** Resolves when the messages are written, except those dropped because the queue was full. */
  add(messages: readonly QueuedMessage[]): Promise<void> {
    return this.#inSequence(() => this.#add(messages))
  }

  /** Returns up to `count` messages, oldest first; waits until there is one. Empty after `end`. */
  async next(count: number): Promise<QueuedMessage[]> {
    await this.ensureOpen()
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
      this.#firstReturned = this.#begin
      if (found.length > 0) return found
      await this.#inSequence(async () => this.#skipLostFile(first))
    }
  }

  /** Removes the `count` oldest messages, which were delivered. Resolves when the removal is on disk. */
  acknowledge(count: number): Promise<void> {
    this.#begin = Math.max(this.#begin, this.#firstReturned + count)
    this.#saving ??= this.#save()
    return this.#saving
  }

  /** Stores a refused message separately, up to 1000 of them. It must be acknowledged like the others. */
  addRefused(body: string, reason: string): Promise<void> {
    return this.#inSequence((refusals) => refusals.add(body, reason))
  }

  /** Returns the refused messages, oldest first. */
  listRefused(): Promise<RefusedMessage[]> {
    return this.#inSequence((refusals) => refusals.list())
  }

  /**
   * Moves refused messages to the end of the queue, as many as fit. After a crash some may be in both places.
   * @param laneOf returns the lane of a message
   * @returns the number of moved messages
   */
  resendRefused(laneOf: (body: string) => string): Promise<number> {
    return this.#inSequence(async (refusals) => {
      const kept = await refusals.list()
      const sent = kept.slice(0, Math.max(this.limit - this.length, 0))
      if (sent.length === 0) return 0
      await this.#add(sent.map(({ body }) => ({ seq: 0, lane: laneOf(body), body })))
      await refusals.remove(sent.length < kept.length ? sent.length : undefined)
      return sent.length
    })
  }

  /** Deletes the refused messages. */
  dropRefused(): Promise<void> {
    return this.#inSequence((refusals) => refusals.remove())
  }

  /**
   * Moves all messages, including refused ones, to another queue, one file at a time. Call it after `end`. After a crash some
   * messages may be in both queues.
   */
  async moveTo(other: EventQueue): Promise<void> {
    while (this.length > 0) {
      const first = this.#files.findLast((file) => file <= this.#begin) ?? this.#begin
      const messages = (await this.#read(first)).slice(this.#begin - first)
      if (messages.length === 0) this.#skipLostFile(first)
      else {
        await other.add(messages)
        this.#firstReturned = this.#begin
        await this.acknowledge(messages.length)
      }
    }
    for (const { body, reason } of await this.listRefused()) await other.addRefused(body, reason)
    await this.dropRefused()
  }

  /** Ends the queue: waiting readers get an empty result. */
  end(): void {
    this.#ended = true
    this.#wake?.()
  }

  /** Resolves when all pending writes are on disk. */
  async close(): Promise<void> {
    this.#closed = true
    this.#saveNow?.()
    // Whoever acknowledged the messages has its error.
    await this.#saving?.catch(() => undefined)
    await this.#tail
  }

  /** Runs changes of the folder in sequence. */
  #inSequence<Result>(work: (refusals: RefusedMessages) => Promise<Result>): Promise<Result> {
    const done = this.#tail.then(async () => {
      this.#refusals ??= await this.#load()
      return await work(this.#refusals)
    })
    this.#tail = done.catch(() => undefined)
    return done
  }

  async #add(messages: readonly QueuedMessage[]): Promise<void> {
    const room = Math.max(this.limit - this.length, 0)
    const taken = messages.slice(0, room)
    this.dropped += messages.length - taken.length
    for (let at = 0; at < taken.length; ) {
      const last = this.#files.at(-1)
      const isFull = last === undefined || this.#end - last >= FILE_MESSAGES || this.#lastBytes >= FILE_BYTES
      if (isFull) {
        this.#files.push(this.#end)
        this.#lastBytes = 0
      }
      const file = isFull ? this.#end : last
      const lines = firstLines(taken.slice(at, at + FILE_MESSAGES - (this.#end - file)), FILE_BYTES - this.#lastBytes)
      if (!(await this.#append(file, lines))) {
        this.#skipLostFile(file)
        continue
      }
      const part = taken.slice(at, at + lines.length)
      this.#keep(file, part)
      this.#end += part.length
      at += part.length
    }
    this.lastSeq = Math.max(this.lastSeq, ...messages.map(({ seq }) => seq))
    this.#wake?.()
  }

  /** Keeps new messages in memory if all earlier ones are there, so that a fast target needs no reads from disk. */
  #keep(file: number, messages: readonly QueuedMessage[]): void {
    if (file === this.#end && this.length === 0) this.#head = { first: file, messages: [] }
    const head = this.#head
    if (head?.first === file && file + head.messages.length === this.#end) head.messages.push(...messages)
  }

  /** Appends all lines or none. @returns false if the earlier lines of the file are lost */
  async #append(file: number, lines: readonly string[]): Promise<boolean> {
    await ensureFolder(this.folder)
    const handle = await open(this.#path(file), 'a', OWNER_FILE_MODE)
    try {
      const { size } = await handle.stat()
      if (size === 0 && file < this.#end) return false
      try {
        await handle.appendFile(lines.join(''))
        if (this.isSynced) await handle.datasync()
        this.#lastBytes = (await handle.stat()).size
      } catch (error) {
        // An incomplete line would corrupt the next one.
        await handle.truncate(size).catch(() => undefined)
        throw error
      }
      return true
    } finally {
      await handle.close()
    }
  }

  /** A file was removed by another program: its messages count as dropped, and the queue continues after them. */
  #skipLostFile(file: number): void {
    if (this.#begin >= file) {
      const behind = this.#files.find((each) => each > file) ?? this.#end
      this.dropped += behind - this.#begin
      this.#begin = behind
      this.#head = undefined
    }
    // The previous file may have space, but the next message does not directly follow its messages.
    if (file === this.#files.at(-1)) this.#lastBytes = FILE_BYTES
    this.#files = this.#files.filter((each) => each !== file)
  }

  async #save(): Promise<void> {
    // Without syncs, a crash repeats messages anyway.
    if (!this.isSynced && !this.#closed)
      await new Promise<void>((resolve) => {
        this.#saveNow = resolve
        setTimeout(resolve, SAVE_MS).unref()
      })
    await this.#inSequence(async () => {
      this.#saving = undefined
      await this.#savePosition()
    })
  }

  async #savePosition(): Promise<void> {
    const path = join(this.folder, POSITION)
    await ensureFolder(this.folder)
    await writeFile(`${path}.new`, JSON.stringify({ begin: this.#begin }), { mode: OWNER_FILE_MODE })
    await rename(`${path}.new`, path)
    // Keep the last file, because its messages show up to which change events were queued.
    while ((this.#files[1] ?? Number.POSITIVE_INFINITY) <= this.#begin) {
      const file = this.#files.shift()
      if (file !== undefined) await rm(this.#path(file), { force: true })
    }
  }

  async #load(): Promise<RefusedMessages> {
    await ensureFolder(this.folder)
    const refusals = await RefusedMessages.open(this.folder)
    this.#files = (await readdir(this.folder))
      .flatMap((name) => FILE.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b)
    const last = this.#files.at(-1)
    if (last === undefined) return refusals
    const messages = await this.#read(last)
    this.#lastBytes = (await stat(this.#path(last))).size
    this.#end = last + messages.length
    this.lastSeq = Math.max(0, ...messages.map(({ seq }) => seq))
    this.#begin = Math.min(Math.max(await this.#savedBegin(), this.#files[0] ?? 0), this.#end)
    return refusals
  }

  async #savedBegin(): Promise<number> {
    try {
      const { begin } = JSON.parse(await readFile(join(this.folder, POSITION), 'utf8')) as { begin: unknown }
      return typeof begin === 'number' ? begin : 0
    } catch {
      // Without it, the oldest messages are delivered again.
      return 0
    }
  }

  /** Reads the messages of a file. Removes a line truncated by a crash, so that the next write starts a new line. */
  async #read(file: number): Promise<QueuedMessage[]> {
    const path = this.#path(file)
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
    const end = text.lastIndexOf('\n') + 1
    if (end < text.length && file === this.#files.at(-1) && this.#end === 0) {
      await writeFile(path, text.slice(0, end), { flush: true, mode: OWNER_FILE_MODE })
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

/** Returns the lines of the first messages: as many as fit into `bytes`, but at least one. */
function firstLines(messages: readonly QueuedMessage[], bytes: number): string[] {
  const lines: string[] = []
  for (let size = 0; lines.length < messages.length && (lines.length === 0 || size < bytes); ) {
    const line = `${JSON.stringify(messages[lines.length])}\n`
    size += Buffer.byteLength(line)
    lines.push(line)
  }
  return lines
}
