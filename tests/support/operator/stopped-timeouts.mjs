// Loaded by a console before its own code (`--import`): stops the clock of `AbortSignal.timeout`, and of timers of a minute or
// more. Time passes when the test sends `{ passMs }`, and the console answers `{ passed: true }`.
const LONG_MS = 60_000

let now = 0
/** What happens at a time, and for an interval, how often. */
const timers = new Set()

class Timer {
  constructor(run, ms, every) {
    Object.assign(this, { run, ms, at: now + ms, every })
    timers.add(this)
  }
  ref = () => this
  unref = () => this
  refresh = () => Object.assign(this, { at: now + this.ms })
}

AbortSignal.timeout = (ms) => {
  const controller = new AbortController()
  const abort = () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'))
  new Timer(abort, ms)
  return controller.signal
}

const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis
globalThis.setTimeout = (run, ms, ...values) =>
  ms >= LONG_MS ? new Timer(() => run(...values), ms) : setTimeout(run, ms, ...values)
globalThis.setInterval = (run, ms, ...values) =>
  ms >= LONG_MS ? new Timer(() => run(...values), ms, ms) : setInterval(run, ms, ...values)
globalThis.clearTimeout = (timer) => (timer instanceof Timer ? timers.delete(timer) : clearTimeout(timer))
globalThis.clearInterval = (timer) => (timer instanceof Timer ? timers.delete(timer) : clearInterval(timer))

process.on('message', ({ passMs }) => {
  now += passMs
  for (const timer of timers) {
    if (timer.at > now) continue
    if (timer.every) timer.at = now + timer.every
    else timers.delete(timer)
    timer.run()
  }
  process.send({ passed: true })
})
// Waiting for messages must not keep the console from ending.
process.channel.unref()
