import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { StoreConfig } from '../config/config.ts'
import { parseSwitch } from '../config/value-types.ts'
import { EventQueue } from '../events/delivery/event-queue.ts'
import { type DeliveryWait, QueueSender } from '../events/delivery/queue-sender.ts'
import type { DeliveryOptions } from '../events/events.ts'
import { openCertificateFiles } from '../events/targets/certificates.ts'
import type { ConsoleLog } from '../process/console-log.ts'
import { logRecord } from './admin/diagnostics/log-record.ts'

const SUBSYSTEM = 'logger_webhook'

export interface LogWebhooksOptions {
  config: StoreConfig
  consoleLog: ConsoleLog
  delivery: DeliveryOptions
  deploymentId: string
  log: Logger
  wait?: DeliveryWait | undefined
}

interface WebhookDelivery {
  settings: string
  queue: EventQueue
  sender: QueueSender
}

/** Sends each line of the log to the webhooks of the configuration. Lines wait on disk while a webhook is not available. */
export class LogWebhooks {
  readonly #options: LogWebhooksOptions
  readonly #outlets = new Map<string, WebhookDelivery>()
  readonly #unsubscribe: () => void
  #applying: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(options: LogWebhooksOptions) {
    this.#options = options
    const { config, consoleLog, deploymentId } = options
    this.#unsubscribe = consoleLog.subscribe((line) => {
      if (this.#outlets.size === 0) return
      const message = { seq: 0, lane: 'log', body: JSON.stringify(logRecord(deploymentId, '', line)) }
      // Do not log a failure to write the queue, because that would add another line to it.
      for (const { queue } of this.#outlets.values()) queue.add([message]).catch(() => undefined)
    })
    config.onChange(SUBSYSTEM, () => this.#apply())
    this.#apply()
  }

  /** Resolves when the webhooks of the configuration have started. */
  get ready(): Promise<void> {
    return this.#applying
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#unsubscribe()
    await this.#applying
    await Promise.all([...this.#outlets.values()].map(({ sender }) => sender.stop()))
  }

  #apply(): void {
    this.#applying = this.#applying
      .then(() => this.#applyTargets())
      .catch((error) => this.#options.log.error({ err: error }, 'the log webhooks could not be started'))
  }

  async #applyTargets(): Promise<void> {
    const { config, delivery, log, wait = waitFor } = this.#options
    if (this.#stopped) return
    const wanted = new Map(
      config.targets(SUBSYSTEM).flatMap((id) => {
        const values = config.values(SUBSYSTEM, id)
        return parseSwitch(values.enable ?? '') === true && values.endpoint ? [[id, values] as const] : []
      }),
    )
    for (const [id, { settings, sender }] of this.#outlets) {
      if (JSON.stringify(wanted.get(id)) === settings) continue
      this.#outlets.delete(id)
      await sender.stop()
    }
    for (const [id, values] of wanted) {
      if (this.#outlets.has(id)) continue
      const folder = path.join(delivery.folder, `${SUBSYSTEM}-${encodeURIComponent(id)}`)
      const queue = await EventQueue.open(folder, Number(values.queue_size))
      const { openWebhook } = await import('../events/targets/webhook.ts')
      const certificates = openCertificateFiles(delivery.certificateFolders)
      const target = openWebhook({
        arn: `${SUBSYSTEM}:${id}`,
        values,
        egress: await delivery.loadEgress(),
        certificates,
      })
      const sender = new QueueSender(queue, target, { wait, now: Date.now, log })
      this.#outlets.set(id, { settings: JSON.stringify(values), queue, sender })
    }
  }
}

const waitFor: DeliveryWait = (ms, signal) => sleep(ms, undefined, { signal, ref: false })
