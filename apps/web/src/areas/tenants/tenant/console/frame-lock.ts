/**
 * Lets only one tab at a time show a tenant of an origin. Scripts of one tenant could use the session of another tenant at the
 * same origin, so the frame of the previous tenant is removed, in any tab, before the next one is shown.
 */
export class FrameLock {
  readonly #channel: BroadcastChannel
  #release: (() => void) | undefined
  #isClosed = false

  /** @param onAsked removes the frame */
  constructor(
    private readonly origin: string,
    onAsked: () => void,
  ) {
    this.#channel = new BroadcastChannel(`stowage-tenant ${origin}`)
    this.#channel.onmessage = () => {
      onAsked()
      // After the next render the frame is removed.
      requestAnimationFrame(() => this.#free())
      // Background tabs are not rendered.
      setTimeout(() => this.#free(), 100)
    }
  }

  /** Resolves when no other tab shows a tenant of this origin. */
  async acquire(): Promise<void> {
    this.#channel.postMessage('next')
    // Available in secure contexts only; otherwise the message alone must suffice.
    if (!('locks' in navigator)) return
    await new Promise<void>((taken) => {
      void navigator.locks.request(`stowage-tenant ${this.origin}`, async () => {
        taken()
        if (!this.#isClosed) await new Promise<void>((release) => (this.#release = release))
      })
    })
  }

  #free(): void {
    this.#release?.()
    this.#release = undefined
  }

  close(): void {
    this.#isClosed = true
    this.#channel.close()
    this.#free()
  }
}
