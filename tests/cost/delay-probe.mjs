// Loaded into the console by NODE_OPTIONS: answers each connection to a socket with the longest delay of the event loop and the CPU
// time since the last one (ms).
import { createServer } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const path = process.env.COST_PROBE
if (isMainThread && path !== undefined) {
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  let cpu = process.cpuUsage()
  const server = createServer((socket) => {
    const { user, system } = process.cpuUsage(cpu)
    socket.on('error', () => {}).end(JSON.stringify({ delayMs: delays.max / 1e6, cpuMs: (user + system) / 1000 }))
    delays.reset()
    cpu = process.cpuUsage()
  })
  // A second process with this environment has no socket.
  server.on('error', () => {})
  server.listen(path)
  server.unref()
}
