import type { DeleteResult } from '../../engine/types.ts'
import { S3Error } from '../../errors.ts'
import { children, childText, optionalTag, parseLargeXml, s3Document, tag } from '../../xml.ts'
import { requireAllowed, requirePossible } from '../authorize.ts'
import { readRaw } from '../body.ts'
import { toFailure } from '../failure.ts'
import { governanceBypass } from './object-lock.ts'
import type { Operation } from './operation.ts'
import { unknownCondition, unquote } from './preconditions.ts'
import { checkVersionId } from './version-id.ts'

const MAX_ENTRIES = 1000
/** Enough for 1,000 keys of 1,024 bytes with their XML, as on S3. */
const BODY_BYTES = 2 * 1024 * 1024

interface Entry {
  key: string
  versionId: string | undefined
  /** The ETag that the object must have. */
  match: string | undefined
  /** A condition that is not evaluated. */
  unknown: string | undefined
}

const UNKNOWN_CONDITIONS = ['LastModifiedTime', 'Size']

/** Deletes up to 1,000 entries. Each is authorized and answered separately. */
export const deleteObjects: Operation = {
  name: 'DeleteObjects',
  method: 'POST',
  level: 'bucket',
  query: ['delete'],
  action: undefined,
  async handle(call) {
    // Entries are authorized one by one, after the body is read. Refuse anonymous callers without any right to delete first.
    // Signed callers get an error per entry, as in S3.
    if (!call.identity) requirePossible(call, 's3:DeleteObject', { bucket: call.bucket })
    call.engine.getBucket(call.bucket)
    const { entries, quiet } = await parseEntries(await readRaw(call, BODY_BYTES))
    const outcomes = new Map<Entry, DeleteResult | Error>()
    const allowed: Entry[] = []
    for (const entry of entries) {
      try {
        const { key, versionId, unknown } = entry
        checkVersionId(versionId)
        requireAllowed(call, 's3:DeleteObject', { bucket: call.bucket, key, versionId })
        if (unknown !== undefined) throw unknownCondition(unknown)
        allowed.push(entry)
      } catch (error) {
        outcomes.set(entry, error instanceof Error ? error : new Error(String(error)))
      }
    }
    const results = await call.engine.deleteObjects(
      call.bucket,
      allowed.map(({ key, versionId, match }) => ({
        key,
        ...(versionId !== undefined && { versionId }),
        bypassGovernance: governanceBypass(call, { bucket: call.bucket, key, versionId }),
        ...(match !== undefined && { condition: { match } }),
      })),
    )
    for (const [index, entry] of allowed.entries()) {
      const result = results[index]
      if (result) outcomes.set(entry, result)
    }
    const content = entries.map((entry) => element(entry, outcomes.get(entry), quiet)).join('')
    call.xml(s3Document('DeleteResult', content))
  },
}

async function parseEntries(xml: Uint8Array): Promise<{ entries: Entry[]; quiet: boolean }> {
  const root = await parseLargeXml(xml, 'Delete')
  const nodes = children(root, 'Object')
  if (nodes.length === 0 || nodes.length > MAX_ENTRIES) {
    throw new S3Error('MalformedXML', `The request must name 1 to ${MAX_ENTRIES} objects.`)
  }
  const entries = nodes.map((node) => {
    const key = childText(node, 'Key')
    if (key === undefined || key === '') throw new S3Error('MalformedXML', 'An Object needs a Key.')
    const etag = childText(node, 'ETag') || undefined
    return {
      key,
      versionId: childText(node, 'VersionId') || undefined,
      match: etag && unquote(etag),
      unknown: UNKNOWN_CONDITIONS.find((name) => childText(node, name) !== undefined),
    }
  })
  return { entries, quiet: yesOrNo(childText(root, 'Quiet') ?? '') }
}

/** Parses a boolean like Go, as MinIO does. */
function yesOrNo(text: string): boolean {
  const word = text.trim()
  if (/^(1|t|T|true|True|TRUE)$/.test(word)) return true
  if (/^(0|f|F|false|False|FALSE)?$/.test(word)) return false
  throw new S3Error('MalformedXML', 'Quiet must be true or false.')
}

function element(entry: Entry, outcome: DeleteResult | Error | undefined, quiet: boolean): string {
  const names = `${tag('Key', entry.key)}${optionalTag('VersionId', entry.versionId)}`
  if (outcome instanceof Error || outcome === undefined) {
    const { code, message } = toFailure(outcome)
    return `<Error>${tag('Code', code)}${tag('Message', message)}${names}</Error>`
  }
  if (quiet) return ''
  const marker = outcome.deleteMarker
    ? `<DeleteMarker>true</DeleteMarker>${optionalTag('DeleteMarkerVersionId', outcome.versionId)}`
    : ''
  return `<Deleted>${names}${marker}</Deleted>`
}
