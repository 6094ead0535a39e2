import { S3_OPERATIONS } from '@stowage/iam-policy'
import type { DeleteObjectResult } from '../../../engine/interface/types.ts'
import { S3Error } from '../../../lib/errors.ts'
import { children, optionalXmlTag, parseLargeXml, s3Document, xmlChildText, xmlTag } from '../../../lib/xml.ts'
import { requireAction, requirePossibleAction, versionedAction } from '../../auth/authorize.ts'
import { readRequestBody } from '../../bodies/request-body.ts'
import { toErrorAnswer } from '../../call/error-answer.ts'
import type { S3Operation } from '../../call/s3-operation.ts'
import { SharedTime } from '../../call/shared-time.ts'
import { parseVersionId } from '../../call/version-id.ts'
import { governanceBypass } from '../headers/object-lock-calls.ts'
import { unquoteEtag, unsupportedCondition } from '../headers/preconditions.ts'

const MAX_ENTRIES = 1000
/** Enough for 1,000 keys of 1,024 bytes with their XML, as on S3. */
const BODY_BYTES = 2 * 1024 * 1024

interface DeleteEntry {
  key: string
  versionId: string | undefined
  /** The ETag that the object must have. */
  match: string | undefined
  /** A condition that is not evaluated. */
  unknown: string | undefined
}

const UNKNOWN_CONDITIONS = ['LastModifiedTime', 'Size']

/** Deletes up to 1,000 entries. Each is authorized and answered separately. */
export const deleteObjects: S3Operation = {
  name: 'DeleteObjects',
  method: 'POST',
  level: 'bucket',
  query: ['delete'],
  async handle(call) {
    const { action, version } = S3_OPERATIONS.DeleteObjects
    // Entries are authorized one by one, after the body is read. Refuse anonymous callers without any right to delete first.
    // Signed callers get an error per entry, as in S3.
    if (!call.identity) requirePossibleAction(call, [action, version], { bucket: call.bucket })
    call.engine.getBucket(call.bucket)
    const { entries, quiet } = await parseEntries(await readRequestBody(call, BODY_BYTES))
    const resultsByEntry = new Map<DeleteEntry, DeleteObjectResult | Error>()
    const allowed: (DeleteEntry & { bypassGovernance: ReturnType<typeof governanceBypass> })[] = []
    // Policies may be costly for each of the keys.
    const time = new SharedTime(call)
    for (const entry of entries) {
      await time.next()
      try {
        const { key, versionId, unknown } = entry
        parseVersionId(versionId)
        const resource = { bucket: call.bucket, key, versionId }
        requireAction(call, versionedAction(S3_OPERATIONS.DeleteObjects, resource), resource)
        if (unknown !== undefined) throw unsupportedCondition(unknown)
        const bypassGovernance = governanceBypass(call, { bucket: call.bucket, key, versionId })
        allowed.push(Object.assign(entry, { bypassGovernance }))
      } catch (error) {
        resultsByEntry.set(entry, error instanceof Error ? error : new Error(String(error)))
      }
    }
    const results = await call.engine.deleteObjects(
      call.bucket,
      allowed.map(({ key, versionId, match, bypassGovernance }) => ({
        key,
        ...(versionId !== undefined && { versionId }),
        bypassGovernance,
        ...(match !== undefined && { condition: { match } }),
      })),
    )
    for (const [index, entry] of allowed.entries()) {
      const result = results[index]
      if (result) resultsByEntry.set(entry, result)
    }
    const content = entries.map((entry) => resultXml(entry, resultsByEntry.get(entry), quiet)).join('')
    call.xml(s3Document('DeleteResult', content))
  },
}

async function parseEntries(xml: Uint8Array): Promise<{ entries: DeleteEntry[]; quiet: boolean }> {
  const root = await parseLargeXml(xml, 'Delete')
  const nodes = children(root, 'Object')
  if (nodes.length === 0 || nodes.length > MAX_ENTRIES) {
    throw new S3Error('MalformedXML', `The request must name 1 to ${MAX_ENTRIES} objects.`)
  }
  const entries = nodes.map((node) => {
    const key = xmlChildText(node, 'Key')
    if (key === undefined || key === '') throw new S3Error('MalformedXML', 'An Object needs a Key.')
    const etag = xmlChildText(node, 'ETag') || undefined
    return {
      key,
      versionId: xmlChildText(node, 'VersionId') || undefined,
      match: etag && unquoteEtag(etag),
      unknown: UNKNOWN_CONDITIONS.find((name) => xmlChildText(node, name) !== undefined),
    }
  })
  return { entries, quiet: yesOrNo(xmlChildText(root, 'Quiet') ?? '') }
}

/** Parses a boolean like Go, as MinIO does. */
function yesOrNo(text: string): boolean {
  const word = text.trim()
  if (/^(1|t|T|true|True|TRUE)$/.test(word)) return true
  if (/^(0|f|F|false|False|FALSE)?$/.test(word)) return false
  throw new S3Error('MalformedXML', 'Quiet must be true or false.')
}

function resultXml(entry: DeleteEntry, outcome: DeleteObjectResult | Error | undefined, quiet: boolean): string {
  const names = `${xmlTag('Key', entry.key)}${optionalXmlTag('VersionId', entry.versionId)}`
  if (outcome instanceof Error || outcome === undefined) {
    const { code, message } = toErrorAnswer(outcome)
    return `<Error>${xmlTag('Code', code)}${xmlTag('Message', message)}${names}</Error>`
  }
  if (quiet) return ''
  const marker = outcome.deleteMarker
    ? `<DeleteMarker>true</DeleteMarker>${optionalXmlTag('DeleteMarkerVersionId', outcome.versionId)}`
    : ''
  return `<Deleted>${names}${marker}</Deleted>`
}
