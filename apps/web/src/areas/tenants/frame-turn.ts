/**
 * Tenants that share an origin take turns: scripts of one could use the login at another, so before the next is shown the
 * last one's frame is gone, in whatever tab it is.
 */
export class FrameTurn {
  readonly #channel: BroadcastChannel
  #release: (() => void) | undefined
  #isClosed = false

  /** @param onAsked takes the frame away */
  constructor(
    private readonly origin: string,
    onAsked: () => void,
  ) {
    this.#channel = new BroadcastChannel(`stowage-tenant ${origin}`)
    this.#channel.onmessage = () => {
      onAsked()
      // The frame is gone when the page has been drawn again.
      requestAnimationFrame(() => this.#free())
      // Pages in the background are not drawn.
      setTimeout(() => this.#free(), 100)
    }
  }

  /** Resolves when no other tab shows a tenant of this origin. */
  async take(): Promise<void> {
    this.#channel.postMessage('next')
    // Only there in secure contexts; without it the message has to do.
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
