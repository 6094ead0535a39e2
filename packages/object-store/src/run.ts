import path from 'node:path'
import type { Logger } from 'pino'
import { openEngine } from './engine/index.ts'
import { createStoreServer } from './http/server.ts'
import type { StorePlace } from './messages.ts'
import { rootCredentials } from './root-credentials.ts'
import { driveFolders, type StoreSettings } from './settings.ts'

export interface RunningStore extends StorePlace {
  /** Resolves when the running requests have ended and the data is closed. */
  close(): Promise<void>
}

/** Opens the data and listens. @throws DataFolderLocked, and errors of the system with their `code` */
export async function runStore(
  settings: StoreSettings,
  options: { log: Logger; control: (command: 'restart' | 'stop') => void; consoleSecret: string | undefined },
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
    const { isNew, ...root } = await rootCredentials(data, {
      accessKey: settings.STOWAGE_ROOT_USER,
      secretKey: settings.STOWAGE_ROOT_PASSWORD,
    })
    const server = createStoreServer({
      engine,
      root,
      region: settings.STOWAGE_REGION,
      domains: settings.STOWAGE_STORE_DOMAIN ?? [],
      trustProxy: settings.STOWAGE_STORE_TRUST_PROXY,
      sandbox: settings.STOWAGE_STORE_SANDBOX,
      ...options,
    })
    const { address, port } = await server.listen(settings.STOWAGE_STORE_PORT, settings.STOWAGE_STORE_HOST)
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
