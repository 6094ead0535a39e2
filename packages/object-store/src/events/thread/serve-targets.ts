import { AsyncLocalStorage } from 'node:async_hooks'
import { parentPort, workerData } from 'node:worker_threads'
import type { Egress } from '@stowage/egress'
import { type DeliveryTarget, MessageRefusedError } from '../delivery/queue-sender.ts'
import { openLazily } from '../delivery/target-deliveries.ts'
import { openCertificateFiles } from '../targets/certificates.ts'
import type { NotificationTargetKind } from '../targets/target-kinds.ts'
import type { ThreadCommand, ThreadData, ThreadReply, ThreadTargetSettings } from './thread-messages.ts'

/** Serves targets of these kinds in a worker thread, for `TargetThread`. An uncaught error ends the thread. */
export function serveTargets(kinds: readonly NotificationTargetKind[]): void {
  const port = parentPort
  if (!port) throw new Error('this program runs as a worker thread')
  const sendToStore = (message: ThreadReply) => port.postMessage(message)
  /** ID of the target whose code is running, also in callbacks of its libraries. */
  const running = new AsyncLocalStorage<number>()
  const targets = new Map<number, DeliveryTarget>()
  const requests = new Map<number, AbortController>()
  let ownPorts: readonly number[] = []
  const loadEgress = once(() => openEgress(() => ownPorts))

  const openTarget = ({ subsystem, arn, values, certificateFolders }: ThreadTargetSettings): DeliveryTarget =>
    openLazily(arn, async () => {
      const kind = kinds.find((each) => each.subsystem === subsystem)
      if (!kind) throw new Error(`${subsystem} is not a kind of target`)
      const certificates = openCertificateFiles(certificateFolders)
      return (await kind.load())({ arn, values, egress: await loadEgress(), certificates })
    })

  const answer = async (target: number, request: number, work: (signal: AbortSignal) => Promise<void>) => {
    const controller = new AbortController()
    requests.set(request, controller)
    try {
      await running.run(target, () => work(controller.signal))
      sendToStore({ type: 'answer', request })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      sendToStore({ type: 'answer', request, failure: { message, refused: error instanceof MessageRefusedError } })
    } finally {
      requests.delete(request)
    }
  }

  const onFault = (error: unknown) => {
    sendToStore({
      type: 'fault',
      target: running.getStore(),
      message: error instanceof Error ? error.message : String(error),
    })
    process.exit(1)
  }
  process.on('uncaughtException', onFault)
  process.on('unhandledRejection', onFault)
  port.on('message', (message: ThreadCommand) => {
    switch (message.type) {
      case 'open':
        targets.set(message.target, openTarget(message.settings))
        break
      case 'send':
        ownPorts = message.ownPorts
        void answer(message.target, message.request, async (signal) =>
          targets.get(message.target)?.send(message.message, signal),
        )
        break
      case 'cancel':
        requests.get(message.request)?.abort(new Error('the delivery was cancelled'))
        break
      case 'close':
        void answer(message.target, message.request, async () => targets.get(message.target)?.close())
        targets.delete(message.target)
        break
      case 'ping':
        sendToStore({ type: 'pong' })
    }
  })
  // All kinds need it. The thread cannot answer while it is loading.
  void loadEgress().then(() => sendToStore({ type: 'ready' }))
}

async function openEgress(ownPorts: () => readonly number[]): Promise<Egress> {
  const [{ createEgress, egressRules, egressSettings }, { z }] = await Promise.all([
    import('@stowage/egress'),
    import('zod'),
  ])
  const settings = z.object(egressSettings).parse((workerData as ThreadData).egress)
  return createEgress({ ...egressRules(settings), ownPorts })
}

function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined
  return () => {
    result ??= work()
    return result
  }
}
