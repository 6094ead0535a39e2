import type { ConditionLookup } from '@stowage/iam-policy'
import { keyArn, readKeyId } from '../../bucket-settings/encryption-codec.ts'
import type { LdapRecord } from '../../iam/iam-records.ts'
import { S3Error } from '../../lib/errors.ts'
import { plainAddress } from '../../requests/request-origin.ts'
import type { StoreCall } from '../call/call.ts'
import { parseCopySource } from '../call/copy-source-name.ts'

/** The resource of an action. Empty for the service. */
export interface ActionResource {
  bucket?: string | undefined
  key?: string | undefined
  versionId?: string | undefined
  /** Values of conditions that are only known from the body. */
  values?: Readonly<Record<string, string>> | undefined
}

/** Condition values of a request. Each value is computed only if a policy needs it. */
export class RequestConditions implements ConditionLookup {
  /** Whether a policy has asked for the caller's address. */
  addressAsked = false

  constructor(
    private readonly call: StoreCall,
    private readonly resource: ActionResource,
  ) {}

  get(key: string): readonly string[] | undefined {
    if (key === SOURCE_IP_KEY) this.addressAsked = true
    const { values } = this.resource
    if (values && Object.hasOwn(values, key)) return asList(values[key])
    if (key.startsWith('jwt:')) return this.#claim(key.slice(4))
    const slash = key.indexOf('/')
    if (slash > 0) return this.#tag(key.slice(0, slash), key.slice(slash + 1))
    const find = FINDERS.get(key)
    if (find) {
      const value = find(this.call, this.resource)
      return value === undefined || typeof value === 'object' ? value : [value]
    }
    if (!key.startsWith('s3:')) return undefined
    const name = key.slice(3)
    return asList(this.call.headerOrField(name.startsWith('x-amz-') ? name : `x-amz-${name}`))
  }

  #claim(name: string): readonly string[] | undefined {
    const external = this.call.identity?.external
    if (!external || external.kind === 'ldap') return undefined
    return Object.hasOwn(external.claims, name) ? external.claims[name] : undefined
  }

  #tag(family: string, name: string): readonly string[] | undefined {
    const tags =
      family === 's3:ExistingObjectTag'
        ? this.#existingTags()
        : family === 's3:RequestObjectTag'
          ? this.call.requestTags
          : undefined
    return tags && Object.hasOwn(tags, name) ? asList(tags[name]) : undefined
  }

  #existingTags(): Record<string, string> {
    const { bucket, key, versionId } = this.resource
    if (!bucket || !key) return {}
    try {
      return this.call.engine.getObject(bucket, key, versionId || undefined).info.tags
    } catch (error) {
      // A missing object has no tags; the handler reports that it is missing.
      if (error instanceof S3Error) return {}
      throw error
    }
  }
}

/** The condition key of the caller's address. */
export const SOURCE_IP_KEY = 'aws:SourceIp'

type Finder = (call: StoreCall, resource: ActionResource) => string | readonly string[] | undefined

const query =
  (name: string): Finder =>
  (call) =>
    call.query.get(name) ?? undefined

// A map, because the names come from policies, and an object would have an entry for `constructor`.
const FINDERS: ReadonlyMap<string, Finder> = new Map<string, Finder>(
  Object.entries<Finder>({
    'aws:Referer': (call) => call.header('referer'),
    [SOURCE_IP_KEY]: (call) => plainAddress(call.record.remoteAddress),
    'aws:UserAgent': (call) => call.header('user-agent'),
    'aws:SecureTransport': (call) => String(call.record.secure),
    'aws:CurrentTime': (call) => new Date(call.record.startedAt).toISOString(),
    'aws:EpochTime': (call) => String(Math.floor(call.record.startedAt / 1000)),
    'aws:principaltype': principalType,
    'aws:userid': (call) => call.identity?.user,
    // As on MinIO: for users of a directory their name to sign in with, while aws:userid is their distinguished name.
    'aws:username': (call) => ldapUser(call)?.username ?? call.identity?.user,
    'aws:groups': (call) => call.identity?.groups,
    'ldap:user': (call) => (ldapUser(call) ? call.identity?.user : undefined),
    'ldap:username': (call) => ldapUser(call)?.username,
    'ldap:groups': (call) => ldapUser(call)?.groups,
    's3:signatureversion': ({ identity, authentication }) =>
      identity && (authentication.version === 2 ? 'AWS' : 'AWS4-HMAC-SHA256'),
    's3:authType': (call) => AUTH_TYPES[call.authentication.kind],
    's3:signatureAge': (call) => {
      const { signedAt } = call.authentication
      return signedAt === undefined ? undefined : String(call.record.startedAt - signedAt)
    },
    // A bucket can only be created in the region of the store, so the body need not be read.
    's3:LocationConstraint': (call) => (call.record.operation === 'CreateBucket' ? call.store.region : undefined),
    's3:prefix': query('prefix'),
    's3:delimiter': query('delimiter'),
    's3:max-keys': query('max-keys'),
    's3:versionid': (_, resource) => resource.versionId || undefined,
    's3:RequestObjectTagKeys': (call) => Object.keys(call.requestTags),
    's3:x-amz-copy-source': copySourceTexts,
    's3:x-amz-metadata-directive': (call) =>
      call.headerOrField('x-amz-metadata-directive') ?? (copySourceTexts(call) && 'COPY'),
    's3:x-amz-server-side-encryption-aws-kms-key-id': kmsKeyTexts,
    's3:object-lock-mode': (call) => lockHeader(call, 'mode')?.toUpperCase(),
    's3:object-lock-legal-hold': (call) => lockHeader(call, 'legal-hold')?.toUpperCase(),
    's3:object-lock-retain-until-date': (call) => {
      const until = retainUntil(call)
      return until === undefined ? undefined : new Date(until).toISOString()
    },
    's3:object-lock-remaining-retention-days': (call) => {
      const until = retainUntil(call)
      return until === undefined ? undefined : String(Math.ceil((until - call.record.startedAt) / DAY_MS))
    },
  }),
)

const AUTH_TYPES: Record<StoreCall['authentication']['kind'], string | undefined> = {
  anonymous: undefined,
  header: 'REST-HEADER',
  presigned: 'REST-QUERY-STRING',
  form: 'POST',
}

const DAY_MS = 86_400_000

const lockHeader = (call: StoreCall, name: string) => call.headerOrField(`x-amz-object-lock-${name}`) || undefined

function retainUntil(call: StoreCall): number | undefined {
  const ms = Date.parse(lockHeader(call, 'retain-until-date') ?? '')
  return Number.isNaN(ms) ? undefined : ms
}

/** Returns the source of a copy as policies may write it: with and without a slash, and the version. Undefined without one. */
function copySourceTexts(call: StoreCall): readonly string[] | undefined {
  const header = call.headerOrField('x-amz-copy-source')
  if (header === undefined) return undefined
  try {
    const { bucket, key, versionId } = parseCopySource(header)
    const texts = [`${bucket}/${key}`, ...(versionId === undefined ? [] : [`${bucket}/${key}?versionId=${versionId}`])]
    return [...texts, ...texts.map((text) => `/${text}`)]
  } catch (error) {
    // The handler refuses it.
    if (error instanceof S3Error) return [header]
    throw error
  }
}

/** Returns the key as policies may write it: its name and its ARN. */
function kmsKeyTexts(call: StoreCall): readonly string[] | undefined {
  const keyId = readKeyId(call.headerOrField('x-amz-server-side-encryption-aws-kms-key-id'))
  return keyId === undefined ? undefined : [keyId, keyArn(keyId)]
}

function ldapUser({ identity }: StoreCall): LdapRecord | undefined {
  return identity?.external?.kind === 'ldap' ? identity.external : undefined
}

/** Credentials derived from root count as root's account, those derived from a user as an assumed role; as on MinIO. */
function principalType({ identity, store }: StoreCall): string {
  if (!identity) return 'Anonymous'
  if (identity.user === store.iam.root.accessKey) return 'Account'
  return identity.kind === 'user' ? 'User' : 'AssumedRole'
}

function asList(value: string | undefined): readonly string[] | undefined {
  return value === undefined ? undefined : [value]
}
