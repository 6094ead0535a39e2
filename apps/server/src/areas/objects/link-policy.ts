import { hash } from 'node:crypto'
import type { NewServiceAccount } from '@stowage/madmin'

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
export function canBeNamed(bucket: string, key: string): boolean {
  return !/[*?]|\$\{/.test(`${bucket}/${key}`)
}

/** Servers refuse accounts that expire earlier; the signature of the link expires on time. */
const SHORTEST_MS = 16 * 60 * 1000

/** Returns the service account that signs a link and has no other rights. */
export function linkAccount(target: LinkTarget, now = new Date()): NewServiceAccount {
  const end = Math.max(target.end.getTime(), now.getTime() + SHORTEST_MS)
  return {
    name: linkName(target.kind, target.bucket, target.key),
    description: describe(target),
    expiration: new Date(end).toISOString().replace(/\.\d+Z$/, 'Z'),
    policy: { Version: '2012-10-17', Statement: [statementOf(target)] },
  }
}

function statementOf({ kind, bucket, key, versionId }: LinkTarget): object {
  const Resource = [`arn:aws:s3:::${bucket}/${key}`]
  if (kind === 'upload') return { Effect: 'Allow', Action: ['s3:PutObject'], Resource: [`${Resource[0]}*`] }
  if (!versionId) return { Effect: 'Allow', Action: ['s3:GetObject'], Resource }
  return {
    Effect: 'Allow',
    // Servers check either or both.
    Action: ['s3:GetObject', 's3:GetObjectVersion'],
    Resource,
    Condition: { StringEquals: { 's3:versionid': versionId } },
  }
}

/** Returns the account name by which the links of an object are found: up to 32 characters, starting with a letter. */
export function linkName(kind: LinkTarget['kind'], bucket: string, key: string): string {
  const prefix = kind === 'download' ? 'link' : 'form'
  return `${prefix}-${hash('sha256', `${bucket}/${key}`, 'hex').slice(0, 26)}`
}

/** Maximum size of the object's name in the description (bytes of UTF-8); servers allow 256 for the whole description. */
const NAME_BYTES = 100

function describe({ kind, bucket, key, versionId }: LinkTarget): string {
  const full = `${bucket}/${key}`
  const name = Buffer.byteLength(full) <= NAME_BYTES ? full : `…${tail(key)}`
  const version = versionId && versionId.length <= 64 ? ` [version ${versionId}]` : ''
  return `${kind === 'download' ? 'Link to' : 'Upload link to'} ${name.replace(/\p{Cc}/gu, '?')}${version}`
}

function tail(key: string): string {
  return Buffer.from(key)
    .subarray(-(NAME_BYTES - 3))
    .toString()
    .replace(/^\ufffd+/, '')
}

/** Whether an account has the name of a link. */
export const isLinkName = (name: string) => /^(link|form)-[0-9a-f]{26}$/.test(name)

/**
 * Returns the target of a link from the name and description made by `linkAccount`. The key is undefined if the description
 * contains only its end; `keyInPolicy` then finds it.
 */
export function targetInAccount(
  { name, description }: { name: string; description: string },
  bucket: string,
): Pick<LinkTarget, 'kind' | 'versionId'> & { key: string | undefined } {
  const kind = name.startsWith('link-') ? 'download' : 'upload'
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
export function keyInPolicy(policy: unknown, { name }: { name: string }, bucket: string): string | undefined {
  const statements = (policy as { Statement?: { Resource?: unknown }[] } | null)?.Statement
  const resources = [statements?.[0]?.Resource].flat()
  const start = `arn:aws:s3:::${bucket}/`
  const [resource] = resources
  if (typeof resource !== 'string' || !resource.startsWith(start)) return undefined
  const kind = name.startsWith('link-') ? 'download' : 'upload'
  const key = resource.slice(start.length, kind === 'upload' ? -1 : undefined)
  return linkName(kind, bucket, key) === name ? key : undefined
}
