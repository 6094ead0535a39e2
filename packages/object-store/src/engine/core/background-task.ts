interface BackgroundTaskOptions {
  run: (task: BackgroundTask) => Promise<void>
  onError: (error: unknown, task: BackgroundTask) => void
}

/** Runs a task in the background, one run at a time. A start during a run causes one more run afterwards. */
export class BackgroundTask {
  #running: Promise<void> | undefined
  #again = false
  #stopped = false
  #timer: NodeJS.Timeout | undefined

  constructor(private readonly options: BackgroundTaskOptions) {}

  /** A run should end soon once this is true. */
  get stopped(): boolean {
    return this.#stopped
  }

  start(): void {
    if (this.#stopped) return
    if (this.#running) {
      this.#again = true
      return
    }
    clearTimeout(this.#timer)
    const { run, onError } = this.options
    this.#running = run(this)
      .catch((error: unknown) => onError(error, this))
      .finally(() => {
        this.#running = undefined
        if (!this.#again) return
        this.#again = false
        this.start()
      })
  }

  startIn(ms: number): void {
    clearTimeout(this.#timer)
    if (!this.#stopped) this.#timer = setTimeout(() => this.start(), ms).unref()
  }

  /** Resolves when the current run has ended; no other follows. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
  }
}
