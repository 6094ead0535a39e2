// Loaded by a console before its own code (`--import`): stops the clock of `AbortSignal.timeout`. Time passes when the test sends
// `{ passMs }`, and the console answers `{ passed: true }`.
let now = 0
const timeouts = new Set()

AbortSignal.timeout = (ms) => {
  const controller = new AbortController()
  timeouts.add({ at: now + ms, controller })
  return controller.signal
}

process.on('message', ({ passMs }) => {
  now += passMs
  for (const timeout of timeouts) {
    if (timeout.at > now) continue
    timeouts.delete(timeout)
    timeout.controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  }
  process.send({ passed: true })
})
// Waiting for messages must not keep the console from ending.
process.channel.unref()
