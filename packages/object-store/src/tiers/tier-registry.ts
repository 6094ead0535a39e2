import { randomUUID } from 'node:crypto'
import type { Egress } from '@stowage/egress'
import type { Engine, TierAccess } from '../engine/interface/types.ts'
import { S3Error, type S3ErrorCode } from '../lib/errors.ts'
import { azureDriver } from './azure-driver.ts'
import { gcsDriver, readGoogleKey } from './gcs-driver.ts'
import { s3Driver } from './s3-driver.ts'
import { type TierDriver, TierFailure, type TierLocation, tierPrefix } from './tier-driver.ts'

/** A stored tier, with its credentials. */
export interface TierConfig extends TierLocation {
  type: 's3' | 'minio' | 'azure' | 'gcs'
  name: string
}

/** The credentials needed for the type of the tier. */
export type TierCredentials = Partial<Pick<TierConfig, 'accessKey' | 'secretKey' | 'creds'>>

export interface TierRegistryOptions {
  engine: Pick<
    Engine,
    | 'deploymentId'
    | 'getBucketSetting'
    | 'getDocument'
    | 'getObject'
    | 'isTierUsed'
    | 'listBuckets'
    | 'listDocuments'
    | 'putDocuments'
  >
  /** Returns a dispatcher for connections to addresses that users enter. */
  dispatcher: () => Promise<Egress['dispatcher']>
}

const COLLECTION = 'tiers'
const NAME = /^[A-Z0-9_-]{1,128}$/
const RESERVED = new Set(['STANDARD', 'REDUCED_REDUNDANCY'])
const PROBE_MS = 20_000
/** Codes for credentials that the server of a tier does not know. */
const INVALID_KEYS = new Set(['InvalidAccessKeyId', 'SignatureDoesNotMatch'])
const OWN_BUCKET_TEXT = 'This tier is a bucket of the store itself.'

/** The tiers of this store. Their credentials are in documents, which are encrypted. */
export class TierRegistry implements TierAccess {
  readonly #options: TierRegistryOptions
  readonly #drivers = new Map<string, { config: string; driver: TierDriver }>()
  refreshedAt = Date.now()

  constructor(options: TierRegistryOptions) {
    this.#options = options
  }

  list(): TierConfig[] {
    return this.#options.engine.listDocuments(COLLECTION).map(({ value }) => JSON.parse(value) as TierConfig)
  }

  has(name: string): boolean {
    return this.#options.engine.getDocument(COLLECTION, name) !== undefined
  }

  /**
   * Adds a tier, after writing, reading and deleting a test object.
   * @param options.force accepts a bucket and prefix that contain other objects
   * @throws S3Error XMinioAdminTier…
   */
  async add(config: TierConfig, { force }: { force: boolean }): Promise<void> {
    checkTierName(config.name)
    if (this.has(config.name)) throw tierError('AlreadyExists', 'A tier of this name exists.')
    checkTierLocation(config)
    const driver = this.#open(config)
    await this.#probe(config, driver)
    if (!force && !(await convertTierErrors(driver.isEmpty(AbortSignal.timeout(PROBE_MS))))) {
      throw tierError('BackendInUse', 'The bucket has objects below this prefix. Choose another prefix, or force it.')
    }
    await this.#save(config)
  }

  /** Replaces the credentials. @throws S3Error XMinioAdminTierNotFound, XMinioAdminTierInvalidCredentials … */
  async edit(name: string, { accessKey = '', secretKey = '', creds = '' }: TierCredentials): Promise<void> {
    const present = this.#require(name)
    const config = present.type === 'gcs' ? { ...present, creds } : { ...present, accessKey, secretKey }
    checkTierLocation(config)
    await this.#probe(config)
    await this.#save(config)
  }

  /**
   * Writes, reads and deletes a test object.
   * @param options.readOnly only lists objects, if the credentials may do so
   * @throws S3Error XMinioAdminTierNotFound, and errors of the tier
   */
  async verify(name: string, { readOnly = false } = {}): Promise<void> {
    const config = this.#require(name)
    if (readOnly && (await this.#canList(config))) return
    await this.#probe(config)
  }

  /** Deletes a tier that no object and no rule needs. @throws S3Error XMinioAdminTierBackendNotEmpty, XMinioAdminTierBackendInUse */
  async delete(name: string): Promise<void> {
    if (!this.has(name)) return
    if (this.#options.engine.isTierUsed(name)) {
      throw tierError('BackendNotEmpty', 'The tier holds objects of this store.')
    }
    const bucket = this.#options.engine.listBuckets().find((each) => this.#hasRuleFor(each.name, name))
    if (bucket) throw tierError('BackendInUse', `A lifecycle rule of the bucket ${bucket.name} uses the tier.`)
    await this.#options.engine.putDocuments([{ collection: COLLECTION, name, value: undefined }])
    this.refreshedAt = Date.now()
  }

  async put(tier: string, object: string, size: number, body: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#using(tier, this.#driver(tier).put(object, size, body))
  }

  async *get(tier: string, object: string, range: { start: number; end: number }): AsyncGenerator<Buffer, void, void> {
    const chunks = this.#driver(tier).get(object, range)
    try {
      for (;;) {
        const next = await this.#using(tier, chunks.next())
        if (next.done) return
        yield next.value
      }
    } finally {
      await chunks.return(undefined)
    }
  }

  async remove(tier: string, object: string): Promise<void> {
    try {
      await this.#driver(tier).remove(object)
    } catch (error) {
      if (error instanceof TierFailure && error.code === 'NoSuchKey') return
      throw tierUnavailable(tier, error)
    }
  }

  async #using<T>(tier: string, call: Promise<T>): Promise<T> {
    try {
      return await call
    } catch (error) {
      throw tierUnavailable(tier, error)
    }
  }

  async #save(config: TierConfig): Promise<void> {
    const { name } = config
    await this.#options.engine.putDocuments([{ collection: COLLECTION, name, value: JSON.stringify(config) }])
    this.refreshedAt = Date.now()
  }

  #require(name: string): TierConfig {
    const text = this.#options.engine.getDocument(COLLECTION, name)
    if (text === undefined) throw tierError('NotFound', 'The specified remote tier was not found.')
    return JSON.parse(text) as TierConfig
  }

  #driver(name: string): TierDriver {
    const config = this.#options.engine.getDocument(COLLECTION, name)
    if (config === undefined) throw tierUnavailable(name, undefined)
    const known = this.#drivers.get(name)
    if (known?.config === config) return known.driver
    const driver = this.#open(JSON.parse(config) as TierConfig)
    this.#drivers.set(name, { config, driver })
    return driver
  }

  #open(config: TierConfig): TierDriver {
    const { dispatcher } = this.#options
    switch (config.type) {
      case 'azure':
        return azureDriver(config, dispatcher)
      case 'gcs':
        return gcsDriver(config, dispatcher)
      default:
        return s3Driver(config, dispatcher)
    }
  }

  #hasRuleFor(bucket: string, tier: string): boolean {
    const rules = this.#options.engine.getBucketSetting(bucket, 'lifecycle')?.value ?? []
    return rules.some(({ transitions, noncurrentTransitions }) =>
      [...transitions, ...noncurrentTransitions].some(({ storageClass }) => storageClass === tier),
    )
  }

  /** Returns false if the credentials may not list objects. @throws S3Error if the tier cannot be used */
  async #canList(config: TierConfig): Promise<boolean> {
    try {
      await this.#open(config).isEmpty(AbortSignal.timeout(PROBE_MS))
      return true
    } catch (error) {
      const isForbidden = error instanceof TierFailure && error.status === 403 && !INVALID_KEYS.has(error.code)
      return isForbidden ? false : await convertTierErrors(Promise.reject(error))
    }
  }

  #isHere(bucket: string, key: string): boolean {
    try {
      this.#options.engine.getObject(bucket, key)
      return true
    } catch {
      // No such object, or no such bucket.
      return false
    }
  }

  /** Writes, reads and deletes a test object, unless the server is this store, which cannot be its own tier. */
  async #probe(config: TierConfig, driver = this.#open(config)): Promise<void> {
    const signal = AbortSignal.timeout(PROBE_MS)
    const content = Buffer.from('probe of a tier')
    const { deploymentId } = this.#options.engine
    const object = `${deploymentId}/probe-${randomUUID()}`
    await convertTierErrors(
      (async () => {
        if ((await driver.deploymentId?.(signal)) === deploymentId) throw new Error(OWN_BUCKET_TEXT)
        let isHere = false
        const chunks: Buffer[] = []
        try {
          await driver.put(object, content.length, singleChunk(content), signal)
          isHere = this.#isHere(config.bucket, tierPrefix(config) + object)
          for await (const chunk of driver.get(object, { start: 0, end: content.length }, signal)) chunks.push(chunk)
        } catch (error) {
          // Credentials that may write and not read: each try would leave an object there.
          if (error instanceof TierFailure) await driver.remove(object, signal).catch(() => undefined)
          throw error
        }
        await driver.remove(object, signal)
        if (isHere) throw new Error(OWN_BUCKET_TEXT)
        if (!Buffer.concat(chunks).equals(content)) throw new TierFailure('', 200)
      })(),
    )
  }
}

async function* singleChunk(content: Buffer): AsyncGenerator<Buffer, void, void> {
  yield content
}

function checkTierName(name: string): void {
  if (name === '') throw tierError('NameEmpty', 'A tier needs a name.')
  if (RESERVED.has(name)) throw tierError('Reserved', 'This name is reserved.')
  if (!NAME.test(name)) throw tierError('NameNotUpperCase', 'Tier name must be in uppercase')
}

function checkTierLocation({ type, endpoint, bucket, accessKey, secretKey, creds = '' }: TierConfig): void {
  if (type === 'gcs' ? creds === '' : accessKey === '' || secretKey === '') {
    throw tierError('MissingCredentials', 'A tier needs credentials: both keys, or the key file of a service account.')
  }
  if (type === 'gcs' && !readGoogleKey(creds)) {
    throw tierError('InvalidCredentials', 'The credentials are not the key file of a service account.')
  }
  // It becomes part of the host name.
  if (type === 'azure' && !/^[a-z0-9]{3,24}$/.test(accessKey)) {
    throw tierError('InvalidCredentials', 'The name of a storage account has 3 to 24 lower-case letters and digits.')
  }
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  // Azure's emulator has the account in the path.
  const path = type === 'azure' ? /^\/[a-z0-9]*\/?$/ : /^\/$/
  const isAddress =
    url !== undefined && /^https?:$/.test(url.protocol) && path.test(url.pathname) && url.username === ''
  if (!isAddress || url.search !== '' || bucket === '' || /[/\\]|^\.\.?$/.test(bucket)) {
    throw tierError('InvalidConfig', 'A tier needs an endpoint such as https://host:port, and a bucket.')
  }
}

type TierCode = S3ErrorCode extends infer Code ? (Code extends `XMinioAdminTier${infer Name}` ? Name : never) : never

function tierError(code: TierCode, message: string, cause?: unknown): S3Error {
  return new S3Error(`XMinioAdminTier${code}`, message, { cause })
}

/** Converts errors of a tier for callers. */
async function convertTierErrors<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    const code = error instanceof TierFailure ? error.code : ''
    if (code === 'NoSuchBucket') throw tierError('BucketNotFound', 'The bucket of the tier does not exist.', error)
    if (INVALID_KEYS.has(code)) {
      throw tierError('InvalidCredentials', 'Invalid remote tier credentials', error)
    }
    if (error instanceof TierFailure && error.status === 403) {
      throw tierError('InsufficientPermissions', 'The credentials of the tier may not read and write there.', error)
    }
    throw tierError('InvalidConfig', error instanceof Error ? error.message : 'The tier cannot be reached.', error)
  }
}

/** Returns the error for callers; it never contains the other server's text. */
function tierUnavailable(tier: string, cause: unknown): S3Error {
  const isGone = cause instanceof TierFailure && cause.status === 404
  const why = isGone ? 'no longer has this object or its bucket' : 'cannot be reached'
  return new S3Error('ServiceUnavailable', `The tier ${tier} ${why}.`, { cause })
}
