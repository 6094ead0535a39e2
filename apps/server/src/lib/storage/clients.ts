import { createMadmin, type Madmin } from '@stowage/madmin'
import { SigningKeys } from '@stowage/sigv4'
import type { SessionPayload } from '../session/payload.ts'
import { type S3Api, S3ApiFactory } from './s3-api.ts'
import { S3Stream } from './s3-stream.ts'
import type { Upstream } from './upstream.ts'

/** The clients of the storage server that a handler uses. They sign as the caller and end with the caller's signal. */
export interface Clients {
  session: SessionPayload
  /** S3 calls for settings. */
  s3: S3Api
  /** S3 requests for content, and those that the SDK is too slow for or does not support; bodies stream. */
  s3Stream: S3Stream
  madmin: Madmin
}

/** Makes the clients of sessions; all of them share connections and signing keys. */
export class ClientFactory {
  readonly #s3: S3ApiFactory
  readonly #keys = new SigningKeys()

  constructor(private readonly upstream: Upstream) {
    this.#s3 = new S3ApiFactory(upstream)
  }

  /**
   * @param caller whom the server is told of: the address, and the ID of the caller's request
   * @param signal aborts every call; without it they run to their end
   */
  of(session: SessionPayload, caller: { ip: string; id: string }, signal?: AbortSignal): Clients {
    const upstream = this.upstream.forCaller(caller.ip, caller.id)
    const { accessKey, secretKey, sessionToken } = session
    return {
      session,
      s3: this.#s3.of(session, this.upstream.forCaller(caller.ip).headers, { signal, requestId: caller.id }),
      s3Stream: new S3Stream(upstream, session, this.#keys, signal),
      madmin: createMadmin({
        endpoint: upstream.origin,
        credentials: { accessKey, secretKey, sessionToken },
        dispatcher: upstream.dispatcher,
        streamDispatcher: upstream.streamDispatcher,
        headers: upstream.headers,
        keys: this.#keys,
        signal,
      }),
    }
  }

  /** Loads what would otherwise delay the first call that needs it. */
  warmUp(): void {
    // If it fails, the first call fails with the same error.
    this.#s3.load().catch(() => {})
  }

  close(): void {
    this.#s3.close()
  }
}
