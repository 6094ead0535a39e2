import { syncFolder } from './durable-files.ts'

/** Syncs of one folder: those asked for while one is under way share the next. */
export class FolderSync {
  static readonly #all = new Map<string, FolderSync>()
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  private constructor(private readonly folder: string) {}

  static forFolder(folder: string): FolderSync {
    const known = FolderSync.#all.get(folder)
    if (known) return known
    const sync = new FolderSync(folder)
    FolderSync.#all.set(folder, sync)
    return sync
  }

  /** Resolves when a sync that began after this call has ended. */
  sync(): Promise<void> {
    if (!this.#running) return this.#begin()
    this.#next ??= this.#running.then(
      () => this.#begin(),
      () => this.#begin(),
    )
    return this.#next
  }

  #begin(): Promise<void> {
    this.#next = undefined
    const run = syncFolder(this.folder).finally(() => {
      if (this.#running === run) this.#running = undefined
    })
    this.#running = run
    return run
  }
}
