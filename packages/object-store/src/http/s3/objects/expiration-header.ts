import { findLifecycleAction } from '@stowage/madmin/lifecycle'
import type { ObjectInfo } from '../../../engine/interface/types.ts'
import type { ResponseHeaders, StoreCall } from '../../call/call.ts'
import { encodeWireText } from '../../call/wire-text.ts'

/** Returns the header with the time and rule by which an object expires; empty if no rule applies. */
export function expirationHeader(call: StoreCall, info: ObjectInfo): ResponseHeaders {
  if (!info.isLatest) return {}
  const rules = call.engine.getBucketSetting(info.bucket, 'lifecycle')?.value
  if (!rules) return {}
  const { versionId, size, lastModified, tags, key } = info
  // As if it were in a tier, so that transitions are ignored.
  const facts = { versionId, size, lastModified, tags, marker: false, tier: '' }
  const action = findLifecycleAction(rules, key, [facts], 0, 0)
  if (!action) return {}
  const id = encodeURIComponent(action.ruleId)
  return { 'x-amz-expiration': encodeWireText(`expiry-date="${new Date(action.due).toUTCString()}", rule-id="${id}"`) }
}
