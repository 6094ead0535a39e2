import type { S3 } from '@aws-sdk/client-s3'
import { encodePath } from '@stowage/sigv4'
import { LRUCache } from 'lru-cache'
import type { Signer } from './s3-stream.ts'
import { sdkHandler } from './sdk-handler.ts'
import type { Upstream } from './upstream.ts'

type Sdk = typeof import('@aws-sdk/client-s3')

interface CallOptions {
  /** How long the server may take to begin its answer, in ms, where the usual time is too short. */
  requestTimeout?: number
}

/** Of the three ways to call a method of the SDK, the one with a promise. */
type Call<F> = F extends {
  (input: infer I, options?: never): Promise<infer O>
  (input: never, callback: never): void
  (input: never, options: never, callback: never): void
}
  ? (input: I, options?: CallOptions) => Promise<O>
  : never

/** Every S3 call by its name in the AWS SDK: `s3.getBucketVersioning({ Bucket })`. */
export type S3Api = { readonly [N in keyof S3 as [Call<S3[N]>] extends [never] ? never : N]: Call<S3[N]> }

/** Sessions whose client is kept; each costs about 100 KB. */
const CLIENTS = 64

/**
 * Makes S3 clients for calls that carry settings and no content, by the AWS SDK. The SDK takes 0.2 s to load, so that
 * happens at the first call, or when `load` is called in a quiet moment.
 */
export class S3ApiFactory {
  readonly #clients = new LRUCache<string, S3>({ max: CLIENTS })
  #sdk: Promise<Sdk> | undefined

  constructor(private readonly upstream: Upstream) {}

  load(): Promise<Sdk> {
    // It prints a page about Node's age to the terminal, meant for developers and not for those who run this program.
    process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
    this.#sdk ??= import('@aws-sdk/client-s3')
    return this.#sdk
  }

  /**
   * The calls as one session.
   * @param headers go with every request, unsigned
   * @param signal aborts every call
   */
  of(signer: Signer, headers: Readonly<Record<string, string>>, signal: AbortSignal | undefined): S3Api {
    const call = (name: string) => async (input: never, options?: CallOptions) => {
      const client = await this.#client(signer, headers)
      // All methods are called alike; one stands for whichever it is.
      return await client[name as 'headBucket'](input, { ...options, ...(signal ? { abortSignal: signal } : {}) })
    }
    // The SDK's methods are not known before it is loaded, so that each call looks for its own.
    return new Proxy({} as S3Api, { get: (_, name) => call(String(name)) })
  }

  /** One client per access key and headers, so that its parsed endpoint and signing keys are kept. */
  async #client(signer: Signer, headers: Readonly<Record<string, string>>): Promise<S3> {
    const sdk = await this.load()
    const key = JSON.stringify([signer.accessKey, headers])
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
      // The defaults add checksums that servers before 2023 refuse.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      credentials: { accessKeyId: accessKey, secretAccessKey: secretKey, sessionToken },
      expectContinueHeader: false,
      requestHandler: sdkHandler(this.upstream),
    })
    addressByPath(client)
    client.middlewareStack.add(
      (next) => (args) => {
        // The SDK keeps the type of its requests to itself.
        Object.assign((args.request as { headers: object }).headers, headers)
        return next(args)
      },
      // After the signing: what is added here may change on the way.
      { step: 'deserialize', priority: 'low', name: 'callerHeaders' },
    )
    return client
  }

  close(): void {
    this.#clients.clear()
  }
}

/** What the SDK sees instead of a bucket's name. */
const ANY_BUCKET = 'bucket'

/**
 * Puts the names of buckets into paths as they are. The SDK reads some of them specially, such as `logs--x-s3` and
 * `arn:aws:s3:…`, and would sign for another service or refuse them; what a name may be is the storage server's to say.
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
