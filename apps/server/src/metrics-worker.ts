import { parentPort, workerData } from 'node:worker_threads'
import type { MetricsWorkerCall, MetricsWorkerMessage } from './lib/metrics/metrics-thread.ts'
import { MetricsWork, type MetricsWorkSettings } from './lib/metrics/metrics-work.ts'
import { ScrapeRefused } from './lib/metrics/sampling/scrape.ts'

/* The program of the worker thread that samples the storage server and keeps the history. An uncaught error ends the thread. */

const port = parentPort
if (!port) throw new Error('this program runs as a worker thread')
const sendMessage = (message: MetricsWorkerMessage) => port.postMessage(message)
const work = new MetricsWork(workerData as MetricsWorkSettings, {
  warn: (fields, message) => sendMessage({ type: 'warning', fields, message }),
})

port.on('message', (call: MetricsWorkerCall) => void answer(call))

async function answer({ id, method, args }: MetricsWorkerCall): Promise<void> {
  try {
    sendMessage({ type: 'result', id, result: await Reflect.apply(work[method], work, args) })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    sendMessage({ type: 'failure', id, message, refused: error instanceof ScrapeRefused })
  }
}
