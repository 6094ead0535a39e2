import path from 'node:path'
import type { Egress } from '@stowage/egress'
import { egressRules, egressSettings } from '@stowage/egress/settings'
import type { Logger } from 'pino'
import { openEngine } from './engine/open-engine.ts'
import type { DeliveryTarget } from './events/delivery/queue-sender.ts'
import { createStoreServer } from './http/server.ts'
import type { ConsoleLog } from './process/console-log.ts'
import type { SignInProvider, StoreAddress } from './process/process-messages.ts'
import { loadRootCredentials } from './settings/root-credentials.ts'
import { driveFolders, type StoreSettings } from './settings/store-settings.ts'

export interface RunningStore extends StoreAddress {
  /** Resolves when the running requests have ended and the data is closed. */
  close(): Promise<void>
}

/** Opens the data and listens. @throws DataFolderLocked, and errors of the system with their `code` */
export async function runStore(
  settings: StoreSettings,
  options: {
    log: Logger
    consoleLog: ConsoleLog
    control: (command: 'restart' | 'stop') => void
    consoleSecret: string | undefined
    /** Gets a record of each request, in addition to the webhooks of the configuration. */
    audit?: DeliveryTarget | undefined
    onSignInProviders?: ((providers: SignInProvider[]) => void) | undefined
  },
): Promise<RunningStore> {
  const data = path.resolve(settings.STOWAGE_DATA)
  const engine = await openEngine({
    data,
    drives: driveFolders(settings),
    minFree: settings.STOWAGE_MIN_FREE,
    discardEncrypted: settings.STOWAGE_DISCARD_ENCRYPTED,
    log: options.log,
  })
  try {
    const { isNew, ...root } = await loadRootCredentials(data, {
      accessKey: settings.STOWAGE_ROOT_USER,
      secretKey: settings.STOWAGE_ROOT_PASSWORD,
    })
    const ownPorts: number[] = []
    const loadEgress = lazyEgress(settings, () => ownPorts)
    const server = createStoreServer({
      engine,
      root,
      region: settings.STOWAGE_REGION,
      environment: process.env,
      domains: settings.STOWAGE_STORE_DOMAIN ?? [],
      trustProxy: settings.STOWAGE_STORE_TRUST_PROXY,
      sandbox: settings.STOWAGE_STORE_SANDBOX,
      events: {
        delivery: {
          loadEgress,
          egress: egressTexts(process.env),
          ownPorts: () => ownPorts,
          folder: path.join(data, 'events'),
          queueFolders: [path.join(data, 'queues'), ...(settings.STOWAGE_QUEUE_DIRS ?? [])],
          certificateFolders: [path.join(data, 'certs'), ...(settings.STOWAGE_CERT_DIRS ?? [])],
        },
      },
      audit: options.audit,
      onSignInProviders: options.onSignInProviders,
      ldapEgress: loadEgress,
      openid: { egress: loadEgress },
      outgoing: async () => (await loadEgress()).dispatcher,
      replication: { egress: loadEgress },
      version2: settings.STOWAGE_SIGV2,
      publicMetrics: settings.STOWAGE_METRICS_AUTH === 'public',
      log: options.log,
      consoleLog: options.consoleLog,
      control: options.control,
      consoleSecret: options.consoleSecret,
    })
    const { address, port } = await server.listen(settings.STOWAGE_STORE_PORT, settings.STOWAGE_STORE_HOST)
    ownPorts.push(port)
    return {
      address,
      port,
      newCredentials: isNew,
      close: async () => {
        await server.close()
        await engine.close()
      },
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** The HTTP client is loaded only when needed: targets, tiers and providers can be added at any time. */
function lazyEgress(settings: StoreSettings, ownPorts: () => readonly number[]): () => Promise<Egress> {
  let loading: Promise<Egress> | undefined
  return () => {
    loading ??= import('@stowage/egress').then(({ createEgress }) =>
      createEgress({ ...egressRules(settings), ownPorts }),
    )
    return loading
  }
}

/** Settings of the egress guard as text; empty means unset. */
function egressTexts(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.keys(egressSettings).flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  )
}
