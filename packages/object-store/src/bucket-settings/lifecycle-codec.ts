import {
  LifecycleError,
  type LifecycleTransition,
  readLifecycle,
  type S3LifecycleRule,
  writeLifecycle,
} from '@stowage/madmin/lifecycle'
import { S3Error } from '../lib/errors.ts'
import { XML_HEAD } from '../lib/xml.ts'
import type { SettingCodec } from './setting-codec.ts'
import { checkTags, MAX_OBJECT_TAGS } from './tagging-codec.ts'

/** When objects of a bucket are removed, or moved to a tier. */
export type LifecycleSetting = readonly S3LifecycleRule[]

const MAX_RULES = 1000
const MAX_ID = 255
const MAX_PREFIX = 1024
const MAX_DAYS = 36_500
const DAY_MS = 24 * 60 * 60 * 1000

export const lifecycleCodec: SettingCodec<LifecycleSetting> = {
  read(document) {
    const rules = parseLifecycle(document)
    if (rules.length === 0) throw malformed('A lifecycle configuration has at least one rule.')
    if (rules.length > MAX_RULES) throw invalid(`A lifecycle configuration has at most ${MAX_RULES} rules.`)
    for (const rule of rules) checkRule(rule)
    const ids = rules.map(({ id }) => id).filter((id) => id !== '')
    if (new Set(ids).size < ids.length) throw invalid('Rule ID must be unique. Found same ID for more than one rule')
    return rules
  },
  write: (rules) => XML_HEAD + writeLifecycle(rules),
}

function parseLifecycle(document: string): S3LifecycleRule[] {
  try {
    return readLifecycle(document).map((rule) => ({ ...rule, transitions: rule.transitions.map(withDefaultDays) }))
  } catch (cause) {
    if (cause instanceof LifecycleError) throw malformed(cause.message, cause)
    throw cause
  }
}

/** MinIO's clients leave out zero days. */
function withDefaultDays(transition: LifecycleTransition): LifecycleTransition {
  return transition.date === undefined ? { days: 0, ...transition } : transition
}

function checkRule(rule: S3LifecycleRule): void {
  const { id, filter, noncurrentExpiration, transitions, noncurrentTransitions } = rule
  if (id.length > MAX_ID) throw invalid(`ID length is limited to ${MAX_ID} characters`)
  if (Object.keys({ ...rule.others, ...filter.others }).length > 0) {
    throw malformed(`The element ${Object.keys({ ...rule.others, ...filter.others })[0]} is not one of a rule.`)
  }
  checkFilter(rule)
  checkExpiration(rule)
  if (rule.deleteMarkerDays !== undefined) {
    checkDays(rule.deleteMarkerDays, 'DelMarkerExpiration')
    if (Object.keys(filter.tags).length > 0) throw invalid('DelMarkerExpiration cannot be combined with tags.')
  }
  if (noncurrentExpiration) checkNoncurrent(noncurrentExpiration, 'NoncurrentVersionExpiration')
  for (const transition of transitions) checkTransition(transition)
  for (const transition of noncurrentTransitions) {
    checkNoncurrent({ days: 0, ...transition }, 'NoncurrentVersionTransition', 0)
    checkStorageClass(transition.storageClass)
  }
  if (transitions.length > 1 || noncurrentTransitions.length > 1) throw invalid('A rule has one transition.')
  checkAbort(rule)
  const actions = [rule.expiration, rule.deleteMarkerDays, noncurrentExpiration, rule.abortUploadsDays]
  if (actions.every((action) => action === undefined) && transitions.length + noncurrentTransitions.length === 0) {
    throw malformed('A rule has at least one action.')
  }
}

function checkFilter({ filter: { prefix, tags, sizeGreaterThan, sizeLessThan } }: S3LifecycleRule): void {
  if (Buffer.byteLength(prefix) > MAX_PREFIX) throw invalid('The prefix of a rule is too long.')
  checkTags(Object.entries(tags), MAX_OBJECT_TAGS)
  if ((sizeGreaterThan ?? 0) < 0 || (sizeLessThan ?? 1) < 1) throw invalid('The size of a filter is not valid.')
  if (sizeGreaterThan !== undefined && sizeLessThan !== undefined && sizeLessThan <= sizeGreaterThan + 1) {
    throw invalid('ObjectSizeLessThan must be greater than ObjectSizeGreaterThan.')
  }
}

function checkExpiration({ expiration, filter, transitions }: S3LifecycleRule): void {
  if (!expiration) return
  const { days, date, deleteMarkers, allVersions } = expiration
  const times = [days, date, deleteMarkers].filter((value) => value !== undefined)
  if (times.length !== 1) throw malformed('Expiration has one of Days, Date and ExpiredObjectDeleteMarker.')
  if (days !== undefined) checkDays(days, 'Expiration')
  if (date !== undefined) checkDate(date)
  if (deleteMarkers && Object.keys(filter.tags).length > 0) {
    throw malformed('ExpiredObjectDeleteMarker cannot be combined with tags.')
  }
  if (allVersions && deleteMarkers) throw malformed('ExpiredObjectAllVersions needs Days or Date.')
  const [transition] = transitions
  const isBefore =
    (days !== undefined && transition?.days !== undefined && days <= transition.days) ||
    (date !== undefined && transition?.date !== undefined && date <= transition.date)
  if (isBefore) throw invalid('The expiration must be later than the transition.')
}

function checkTransition({ days, date, storageClass }: LifecycleTransition): void {
  if (days !== undefined && date !== undefined) throw malformed('Transition has either Days or Date, not both.')
  // Zero days: at the scanner's next pass.
  if (days !== undefined) checkDays(days, 'Transition', 0)
  if (date !== undefined) checkDate(date)
  checkStorageClass(storageClass)
}

function checkNoncurrent(
  { days, newerVersions }: { days?: number; newerVersions?: number },
  name: string,
  leastDays = 1,
): void {
  if (days === undefined && newerVersions === undefined) {
    throw malformed(`${name} needs NoncurrentDays or NewerNoncurrentVersions.`)
  }
  // MinIO's clients write 0 for what they leave out.
  if (days !== undefined && !(days === 0 && newerVersions)) checkDays(days, name, leastDays)
  if (newerVersions !== undefined && (newerVersions < 0 || newerVersions > 100_000)) {
    throw invalid('NewerNoncurrentVersions is not valid.')
  }
}

function checkAbort({ abortUploadsDays, filter }: S3LifecycleRule): void {
  if (abortUploadsDays === undefined) return
  checkDays(abortUploadsDays, 'AbortIncompleteMultipartUpload')
  const { tags, sizeGreaterThan, sizeLessThan } = filter
  if (Object.keys(tags).length > 0 || sizeGreaterThan !== undefined || sizeLessThan !== undefined) {
    throw invalid('AbortIncompleteMultipartUpload cannot be combined with tags or sizes.')
  }
}

function checkStorageClass(storageClass: string): void {
  if (storageClass === '') throw malformed('A transition needs a StorageClass.')
}

function checkDays(days: number, name: string, least = 1): void {
  if (days < least || days > MAX_DAYS) throw invalid(`The days of ${name} must be between ${least} and ${MAX_DAYS}.`)
}

function checkDate(date: number): void {
  if (date % DAY_MS !== 0) throw invalid("'Date' must be at midnight GMT")
}

function malformed(message: string, cause?: unknown): S3Error {
  return new S3Error('MalformedXML', message, { cause })
}

function invalid(message: string): S3Error {
  return new S3Error('InvalidArgument', message)
}
