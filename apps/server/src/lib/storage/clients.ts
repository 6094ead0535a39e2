import { createMadmin, type Madmin } from '@stowage/madmin'
import { SigningKeys } from '@stowage/sigv4'
import type { SessionPayload } from '../session/payload.ts'
import { type S3Api, S3ApiFactory } from './s3-api.ts'
import { S3Stream } from './s3-stream.ts'
import type { Upstream } from './upstream.ts'

/** The clients of the storage server that a handler uses. They sign as the caller and end with the caller's signal. */
export interface Clients {
  session: SessionPayload
  /** S3 calls that carry settings. */
  s3: S3Api
  /** S3 requests that carry content, and those that the SDK is too slow for or does not know; bodies stream. */
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
   * @param address the caller's
   * @param signal aborts every call; without one they run to their end
   */
  of(session: SessionPayload, address: string, signal?: AbortSignal): Clients {
    const upstream = this.upstream.forCaller(address)
    const { accessKey, secretKey, sessionToken } = session
    return {
      session,
      s3: this.#s3.of(session, upstream.headers, signal),
      s3Stream: new S3Stream(upstream, session, this.#keys, signal),
      madmin: createMadmin({
        endpoint: upstream.origin,
        credentials: { accessKey, secretKey, sessionToken },
        dispatcher: upstream.dispatcher,
        headers: upstream.headers,
        keys: this.#keys,
        signal,
      }),
    }
  }

  /** Loads what would otherwise delay the first call that needs it. */
  warmUp(): void {
    // A failure to load shows at that call.
    this.#s3.load().catch(() => {})
  }

  close(): void {
    this.#s3.close()
  }
}
