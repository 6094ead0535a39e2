import type { S3 } from '@aws-sdk/client-s3'
import { encodePath } from '@stowage/sigv4'
import { LRUCache } from 'lru-cache'
import type { Signer } from './s3-stream.ts'
import { createSdkHandler } from './sdk-handler.ts'
import { SigningRegion } from './signing-region.ts'
import type { Upstream } from './upstream.ts'

type Sdk = typeof import('@aws-sdk/client-s3')

interface CallOptions {
  /** Timeout of the answer's headers (ms), if the default is too short. */
  requestTimeout?: number
}

/** The overload of an SDK method that returns a promise. */
type Call<F> = F extends {
  (input: infer I, options?: never): Promise<infer O>
  (input: never, callback: never): void
  (input: never, options: never, callback: never): void
}
  ? (input: I, options?: CallOptions) => Promise<O>
  : never

/** All S3 calls by their names in the AWS SDK: `s3.getBucketVersioning({ Bucket })`. */
export type S3Api = { readonly [N in keyof S3 as [Call<S3[N]>] extends [never] ? never : N]: Call<S3[N]> }

/** Maximum number of cached clients, one per session; each takes about 100 KB. */
const CLIENTS = 64

/**
 * Creates S3 clients of the AWS SDK, for calls about settings. The SDK takes 0.2 s to load, so it is loaded at the first call
 * or by `load`.
 */
export class S3ApiFactory {
  readonly #clients = new LRUCache<string, S3>({ max: CLIENTS })
  #sdk: Promise<Sdk> | undefined

  constructor(
    private readonly upstream: Upstream,
    private readonly regions = new SigningRegion(),
  ) {}

  load(): Promise<Sdk> {
    // The SDK prints a long warning about old versions of Node, which does not help users of this program.
    process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
    this.#sdk ??= import('@aws-sdk/client-s3')
    return this.#sdk
  }

  /**
   * Returns the calls, signed for one session.
   * @param headers added to every request, unsigned
   * @param request its signal aborts every call, and its ID is sent with every call
   */
  forSigner(
    signer: Signer,
    headers: Readonly<Record<string, string>>,
    request: { signal?: AbortSignal | undefined; requestId?: string },
  ): S3Api {
    const { signal, requestId } = request
    const send = async (name: string, region: string, input: never, options?: CallOptions) => {
      const client = await this.#client({ ...signer, region }, headers)
      // All methods have the same signature; the type of `headBucket` is used for all of them.
      return await client[name as 'headBucket'](input, {
        ...options,
        ...(signal ? { abortSignal: signal } : {}),
        // An option of our own, which the SDK passes to our handler.
        ...({ requestId } as object),
      })
    }
    const call = (name: string) => async (input: never, options?: CallOptions) => {
      const region = this.regions.current(signer.region)
      try {
        return await send(name, region, input, options)
      } catch (error) {
        if (!this.regions.learn(error, region)) throw error
        return await send(name, this.regions.current(signer.region), input, options)
      }
    }
    // The methods are unknown before the SDK is loaded, so each call looks up its method.
    return new Proxy({} as S3Api, { get: (_, name) => call(String(name)) })
  }

  /** Returns one client per access key, region and headers, because a client caches its endpoint and signing keys. */
  async #client(signer: Signer, headers: Readonly<Record<string, string>>): Promise<S3> {
    const sdk = await this.load()
    const key = JSON.stringify([signer.accessKey, signer.region, headers])
    let client = this.#clients.get(key)
    if (!client) {
      client = this.#create(sdk, signer, headers)
      this.#clients.set(key, client)
    }
    return client
  }

  #create(sdk: Sdk, signer: Signer, headers: Readonly<Record<string, string>>): S3 {
    const { accessKey, secretKey, sessionToken, region } = signer
    const client = new sdk.S3({
      endpoint: this.upstream.origin,
      region,
      forcePathStyle: true,
      maxAttempts: 1,
      // The defaults add checksums, which servers before 2023 refuse.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      credentials: { accessKeyId: accessKey, secretAccessKey: secretKey, sessionToken },
      expectContinueHeader: false,
      requestHandler: createSdkHandler(this.upstream),
    })
    addressByPath(client)
    client.middlewareStack.add(
      (next) => (args) => {
        // The SDK does not export the type of its requests.
        Object.assign((args.request as { headers: object }).headers, headers)
        return next(args)
      },
      // After signing, because proxies may change these headers.
      { step: 'deserialize', priority: 'low', name: 'callerHeaders' },
    )
    return client
  }

  close(): void {
    this.#clients.clear()
  }
}

/** A bucket name that the SDK sees instead of the real one. */
const ANY_BUCKET = 'bucket'

/**
 * Puts bucket names into paths unchanged. The SDK treats some names specially, such as `logs--x-s3` and `arn:aws:s3:…`: it
 * would sign for another service or refuse them. The storage server decides which names are valid.
 */
function addressByPath(client: S3): void {
  const names = new WeakMap<object, string>()
  client.middlewareStack.add(
    (next, context) => (args) => {
      const { Bucket } = args.input as { Bucket?: string }
      if (Bucket === undefined) return next(args)
      names.set(context, Bucket)
      return next({ ...args, input: { ...args.input, Bucket: ANY_BUCKET } })
    },
    { step: 'initialize', priority: 'high', name: 'hideBucket' },
  )
  client.middlewareStack.add(
    (next, context) => (args) => {
      const name = names.get(context)
      const request = args.request as { path: string }
      if (name !== undefined) request.path = encodePath(`/${name}`) + request.path.slice(`/${ANY_BUCKET}`.length)
      return next(args)
    },
    { step: 'build', priority: 'high', name: 'showBucket' },
  )
}
