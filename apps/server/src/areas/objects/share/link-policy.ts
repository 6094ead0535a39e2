import { hash } from 'node:crypto'
import type { AddServiceAccountRequest } from '@stowage/madmin'

/** What a link gives access to, and when it expires. */
export interface LinkTarget {
  kind: 'download' | 'upload'
  bucket: string
  /** The object's key; for uploads, the prefix of all keys. */
  key: string
  versionId?: string | undefined
  end: Date
}

/** Whether a policy can name this key only: wildcards and variables in a resource cannot be escaped. */
export function canNameInPolicy(bucket: string, key: string): boolean {
  return !/[*?]|\$\{/.test(`${bucket}/${key}`)
}

/** Servers refuse accounts that expire earlier; the signature of the link expires on time. */
const SHORTEST_MS = 16 * 60 * 1000

/**
 * Returns the service account that signs a link and has no other rights. Servers of 2021 store neither name nor expiry of an
 * account, therefore both are in its policy too: `linkNameInPolicy` and `linkLimitsInPolicy` read them.
 */
export function linkAccount(target: LinkTarget, now = new Date()): AddServiceAccountRequest {
  const end = Math.max(target.end.getTime(), now.getTime() + SHORTEST_MS)
  return {
    name: linkName(target.kind, target.bucket, target.key),
    description: linkDescription(target),
    expiration: wholeSecondsText(new Date(end)),
    policy: { Version: '2012-10-17', Statement: [linkStatement(target)] },
  }
}

function linkStatement({ kind, bucket, key, versionId, end }: LinkTarget): object {
  const Resource = [`arn:aws:s3:::${bucket}/${key}`]
  const Condition = {
    DateLessThan: { 'aws:CurrentTime': wholeSecondsText(end) },
    // Always true: this is where the link's name is stored. Servers of 2021 do not keep a Sid.
    StringNotEquals: { 'aws:UserAgent': linkName(kind, bucket, key) },
  }
  if (kind === 'upload') return { Effect: 'Allow', Action: ['s3:PutObject'], Resource: [`${Resource[0]}*`], Condition }
  if (!versionId) return { Effect: 'Allow', Action: ['s3:GetObject'], Resource, Condition }
  return {
    Effect: 'Allow',
    // Servers check either or both.
    Action: ['s3:GetObject', 's3:GetObjectVersion'],
    Resource,
    Condition: { ...Condition, StringEquals: { 's3:versionid': versionId } },
  }
}

const wholeSecondsText = (time: Date) => time.toISOString().replace(/\.\d+Z$/, 'Z')

/** Returns the account name by which the links of an object are found: up to 32 characters, starting with a letter. */
export function linkName(kind: LinkTarget['kind'], bucket: string, key: string): string {
  const prefix = kind === 'download' ? 'link' : 'form'
  return `${prefix}-${hash('sha256', `${bucket}/${key}`, 'hex').slice(0, 26)}`
}

/** Maximum size of the object's name in the description (bytes of UTF-8); servers allow 256 for the whole description. */
const NAME_BYTES = 100

function linkDescription({ kind, bucket, key, versionId }: LinkTarget): string {
  const full = `${bucket}/${key}`
  const name = Buffer.byteLength(full) <= NAME_BYTES ? full : `…${endOfKey(key)}`
  const version = versionId && versionId.length <= 64 ? ` [version ${versionId}]` : ''
  return `${kind === 'download' ? 'Link to' : 'Upload link to'} ${name.replace(/\p{Cc}/gu, '?')}${version}`
}

function endOfKey(key: string): string {
  return Buffer.from(key)
    .subarray(-(NAME_BYTES - 3))
    .toString()
    .replace(/^\ufffd+/, '')
}

/** Whether an account has the name of a link. Accounts without a name are links if their policy has one: `linkNameInPolicy`. */
export const isLinkName = (name: string) => /^(link|form)-[0-9a-f]{26}$/.test(name)

export const linkKind = (name: string): LinkTarget['kind'] => (name.startsWith('link-') ? 'download' : 'upload')

/**
 * Returns the target of a link from the name and description made by `linkAccount`. The key is undefined if the description
 * contains only its end; `linkKeyInPolicy` then finds it.
 */
export function parseLinkAccount(
  { name, description }: { name: string; description: string },
  bucket: string,
): Pick<LinkTarget, 'kind' | 'versionId'> & { key: string | undefined } {
  const kind = linkKind(name)
  const [, versionId] = / \[version ([^\]]+)\]$/.exec(description) ?? []
  const whole = description.replace(/^(Upload link|Link) to /, '')
  const full = versionId === undefined ? whole : whole.slice(0, -` [version ${versionId}]`.length)
  const key = full.startsWith(`${bucket}/`) ? full.slice(bucket.length + 1) : undefined
  return { kind, versionId, key: key !== undefined && linkName(kind, bucket, key) === name ? key : undefined }
}

/**
 * Returns the key named in the policy of a link; undefined if the link is to another bucket, or the policy is not one of a
 * link.
 */
export function linkKeyInPolicy(policy: unknown, { name }: { name: string }, bucket: string): string | undefined {
  const [resource] = [firstStatement(policy)?.Resource].flat()
  const start = `arn:aws:s3:::${bucket}/`
  if (typeof resource !== 'string' || !resource.startsWith(start)) return undefined
  const kind = linkKind(name)
  const key = resource.slice(start.length, kind === 'upload' ? -1 : undefined)
  return linkName(kind, bucket, key) === name ? key : undefined
}

/** Returns the name of a link from its policy; undefined if the policy is not one of a link. */
export function linkNameInPolicy(policy: unknown): string | undefined {
  const name = conditionValue(policy, 'StringNotEquals', 'aws:UserAgent')
  return name !== undefined && isLinkName(name) ? name : undefined
}

/** Returns version and expiry of a link (RFC 3339) from its policy. */
export function linkLimitsInPolicy(policy: unknown): { versionId?: string | undefined; expires?: string | undefined } {
  return {
    versionId: conditionValue(policy, 'StringEquals', 's3:versionid'),
    expires: conditionValue(policy, 'DateLessThan', 'aws:CurrentTime'),
  }
}

/** Returns the value of a condition; MinIO returns single values as lists too. */
function conditionValue(policy: unknown, operator: string, key: string): string | undefined {
  const [first] = [firstStatement(policy)?.Condition?.[operator]?.[key]].flat()
  return typeof first === 'string' ? first : undefined
}

interface Statement {
  Resource?: unknown
  Condition?: Record<string, Record<string, unknown> | undefined>
}

const firstStatement = (policy: unknown) => (policy as { Statement?: Statement[] } | null | undefined)?.Statement?.[0]
