import { setTimeout as wait } from 'node:timers/promises'
import { reason } from '@stowage/contract'
import type { Madmin } from '@stowage/madmin'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { toStorageError } from '../../lib/errors/storage-errors.ts'
import { storageErrorMeaning } from '../../lib/errors/upstream-codes.ts'

const RESTART_SECONDS = 120
const LOOK_MS = 250

/** Restarts of the storage server, one at a time. */
export class ServerRestarts {
  #running: Promise<void> | undefined

  /** Waits for a restart that is running. @returns whether there was one, and the server came back */
  async joinRunning(): Promise<boolean> {
    const running = this.#running
    return (
      running !== undefined &&
      (await running.then(
        () => true,
        // Its own caller gets the error.
        () => false,
      ))
    )
  }

  /** @throws HttpError 504 if the server does not come back in time */
  async start(madmin: Madmin, signal: AbortSignal): Promise<void> {
    const running = restartStorageServer(madmin, signal).finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    await running
  }
}

/**
 * Restarts the storage server and waits until all its servers have restarted.
 * @param limitSeconds for tests: how long they may take
 * @throws HttpError 504 if the server does not come back in time; 401 if it has restarted and refuses the access key, for
 * example because its users are in etcd now
 */
export async function restartStorageServer(
  madmin: Pick<Madmin, 'service' | 'serverInfo'>,
  signal: AbortSignal,
  limitSeconds = RESTART_SECONDS,
): Promise<void> {
  await madmin.service('restart')
  const begun = performance.now()
  for (;;) {
    const seconds = (performance.now() - begun) / 1000
    if (seconds > limitSeconds) throw new HttpError(504, reason('restart-not-seen', { seconds: limitSeconds }))
    await wait(LOOK_MS, undefined, { signal })
    try {
      const { servers } = await madmin.serverInfo()
      // A server that has been up for longer than we have waited has not restarted yet.
      if (servers.length > 0 && servers.every(({ uptime }) => uptime <= seconds + 1)) return
    } catch (error) {
      signal.throwIfAborted()
      if (isSessionOver(error)) throw new HttpError(401, reason('restart-signed-out'), { cause: error })
      // Otherwise the server is down or still starting.
    }
  }
}

/** Whether the server refuses the credentials. While it starts, it answers 503 instead. */
function isSessionOver(error: unknown): boolean {
  const failure = toStorageError(error)
  return failure !== undefined && storageErrorMeaning(failure.code, failure.status).status === 401
}
