/** Holds a request of a fault of the sandbox, so that a test can act at that moment. */
export interface RequestHold {
  /** Resolves when the request has arrived. */
  readonly reached: Promise<void>
  open(): void
  /** For `Fault.until`. */
  until(): Promise<void>
}

export function newRequestHold(): RequestHold {
  let reach = () => {}
  let open = () => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return {
    reached,
    open: () => open(),
    until: () => {
      reach()
      return opened
    },
  }
}
