import { AnswerCache, createMadmin, type Madmin } from '@stowage/madmin'
import { SigningKeys } from '@stowage/sigv4'
import type { SessionPayload } from '../session/session-payload.ts'
import { type S3Api, S3ApiFactory } from './s3-api.ts'
import { S3Stream } from './s3-stream.ts'
import { SigningRegion } from './signing-region.ts'
import type { Upstream } from './upstream.ts'

/** The clients of the storage server for a handler. They sign as the caller and abort with the caller's signal. */
export interface StorageClients {
  session: SessionPayload
  /** S3 calls for settings. */
  s3: S3Api
  /** S3 requests for content, and those for which the SDK is too slow or has no support; bodies are streamed. */
  s3Stream: S3Stream
  madmin: Madmin
}

/** Creates the clients of sessions, which share connections and signing keys. */
export class StorageClientFactory {
  readonly #s3: S3ApiFactory
  readonly #keys = new SigningKeys()
  readonly #known = new AnswerCache()
  readonly #region = new SigningRegion()

  constructor(private readonly upstream: Upstream) {
    this.#s3 = new S3ApiFactory(upstream, this.#region)
  }

  /**
   * @param caller sent to the server: the address, and the ID of the caller's request
   * @param signal aborts every call; without it they run to their end
   */
  forSession(session: SessionPayload, caller: { ip: string; id: string }, signal?: AbortSignal): StorageClients {
    const upstream = this.upstream.forCaller(caller.ip, caller.id)
    const { accessKey, secretKey, sessionToken } = session
    return {
      session,
      s3: this.#s3.forSigner(session, this.upstream.forCaller(caller.ip).headers, { signal, requestId: caller.id }),
      s3Stream: new S3Stream(upstream, session, this.#keys, signal, this.#region),
      madmin: createMadmin({
        endpoint: upstream.origin,
        credentials: { accessKey, secretKey, sessionToken },
        dispatcher: upstream.dispatcher,
        streamDispatcher: upstream.streamDispatcher,
        headers: upstream.headers,
        keys: this.#keys,
        known: this.#known,
        signal,
      }),
    }
  }

  /** Loads modules that would otherwise delay the first call. */
  warmUp(): void {
    // If it fails, the first call fails with the same error.
    this.#s3.load().catch(() => {})
  }

  close(): void {
    this.#s3.close()
  }
}
