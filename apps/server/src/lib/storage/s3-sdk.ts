import type { S3Client } from '@aws-sdk/client-s3'
import { encodePath } from '@stowage/sigv4'
import { Lru } from '../lru.ts'
import type { Egress } from './egress.ts'
import type { Signer } from './s3-wire.ts'
import { sdkHandler } from './sdk-handler.ts'

type Sdk = typeof import('@aws-sdk/client-s3')

/** A client that signs as one session, and the commands to send by it. */
export interface S3Control extends Pick<S3Client, 'send'> {
  readonly commands: Sdk
}

/** Sessions whose client is kept; each costs about 100 KB. */
const CLIENTS = 64

/**
 * The SDK, for S3 calls that carry settings and no content. It takes 0.2 s to load, so that happens at the first call or
 * when `load` is called in a quiet moment.
 */
export class SdkClients {
  readonly #clients = new Lru<string, S3Client>(CLIENTS)
  #sdk: Promise<Sdk> | undefined

  constructor(private readonly egress: Egress) {}

  load(): Promise<Sdk> {
    // It writes a page about Node's age to the terminal, which is for who chooses the versions and not for who runs this.
    process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
    this.#sdk ??= import('@aws-sdk/client-s3')
    return this.#sdk
  }

  /**
   * The client of a session: one per access key and headers, so that its parsed endpoint and signing keys are kept.
   * @param headers go with every request, unsigned
   */
  async of(signer: Signer, headers: Readonly<Record<string, string>>): Promise<S3Control> {
    const commands = await this.load()
    const key = JSON.stringify([signer.accessKey, headers])
    let client = this.#clients.get(key)
    if (!client) {
      client = this.#create(commands, signer, headers)
      this.#clients.set(key, client)
    }
    return { commands, send: client.send.bind(client) }
  }

  #create(sdk: Sdk, signer: Signer, headers: Readonly<Record<string, string>>): S3Client {
    const { accessKey, secretKey, sessionToken, region } = signer
    const client = new sdk.S3Client({
      endpoint: this.egress.origin,
      region,
      forcePathStyle: true,
      maxAttempts: 1,
      // The defaults add checksums that servers before 2023 refuse.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      credentials: { accessKeyId: accessKey, secretAccessKey: secretKey, sessionToken },
      expectContinueHeader: false,
      requestHandler: sdkHandler(this.egress),
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
function addressByPath(client: S3Client): void {
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
