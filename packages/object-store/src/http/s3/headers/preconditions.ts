import type { ObjectInfo } from '../../../engine/interface/types.ts'
import { S3Error } from '../../../lib/errors.ts'
import type { StoreCall } from '../../call/call.ts'

/** Result of a reader's conditions: `not-modified` has a separate answer (304). */
export type ReadConditionResult = 'ok' | 'failed' | 'not-modified'

/** Evaluates `If-…` headers with this prefix (empty or `x-amz-copy-source-`). ETags take precedence over dates. */
export function checkReadConditions(call: StoreCall, info: ObjectInfo, prefix: string): ReadConditionResult {
  const match = call.header(`${prefix}if-match`)
  if (match !== undefined) {
    if (!namesEtag(match, info.etag)) return 'failed'
  } else {
    const since = parseHttpDate(call.header(`${prefix}if-unmodified-since`))
    if (since !== undefined && wholeSeconds(info.lastModified) > since) return 'failed'
  }
  const noneMatch = call.header(`${prefix}if-none-match`)
  if (noneMatch !== undefined) return namesEtag(noneMatch, info.etag) ? 'not-modified' : 'ok'
  const since = parseHttpDate(call.header(`${prefix}if-modified-since`))
  return since !== undefined && wholeSeconds(info.lastModified) <= since ? 'not-modified' : 'ok'
}

export function readConditionFailed(condition?: string): S3Error {
  return new S3Error('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', {
    ...(condition === undefined ? {} : { detail: { Condition: condition } }),
  })
}

/** Returns the condition of a write, which the engine evaluates inside its commit. */
export function writeCondition(call: StoreCall): { match?: string; noneMatch?: string } | undefined {
  const match = call.header('if-match')
  const noneMatch = call.header('if-none-match')
  if (match === undefined && noneMatch === undefined) return undefined
  return {
    ...(match === undefined ? {} : { match: unquoteEtag(match) }),
    ...(noneMatch === undefined ? {} : { noneMatch: unquoteEtag(noneMatch) }),
  }
}

/** Conditions that S3 defines for directory buckets: they are refused, because ignoring them could delete the wrong object. */
export function unsupportedCondition(name: string): S3Error {
  return new S3Error('NotImplemented', `The condition ${name} is not supported.`)
}

/** Returns an ETag without its quotes. */
export function unquoteEtag(etag: string): string {
  const text = etag.trim()
  return text.slice(text.startsWith('"') ? 1 : 0, text.endsWith('"') ? -1 : undefined)
}

function namesEtag(list: string, etag: string): boolean {
  return list.split(',').some((item) => {
    const wanted = unquoteEtag(item.trim().replace(/^W\//, ''))
    return wanted === '*' || wanted === etag
  })
}

/** Parses a date. An invalid date is ignored, as HTTP requires. */
function parseHttpDate(header: string | undefined): number | undefined {
  const time = header === undefined ? Number.NaN : Date.parse(header)
  return Number.isNaN(time) ? undefined : time
}

/** Rounds down to seconds, because HTTP dates have no fractions. */
function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1000) * 1000
}
