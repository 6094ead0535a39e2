import type { StoreChange } from '../journal/store-change.ts'

/** Returns the S3 event name of a change. Undefined if it causes no event. */
export function changeEventName({ type, requester }: Pick<StoreChange, 'type' | 'requester'>): string | undefined {
  if (type === 'object-put' && requester?.form) return 's3:ObjectCreated:Post'
  return CHANGE_EVENTS[type]
}

const CHANGE_EVENTS: Readonly<Partial<Record<StoreChange['type'], string>>> = {
  'object-put': 's3:ObjectCreated:Put',
  'object-copy': 's3:ObjectCreated:Copy',
  'object-complete': 's3:ObjectCreated:CompleteMultipartUpload',
  'object-tags': 's3:ObjectCreated:PutTagging',
  'object-tags-removed': 's3:ObjectCreated:DeleteTagging',
  'object-retention': 's3:ObjectCreated:PutRetention',
  'object-legal-hold': 's3:ObjectCreated:PutLegalHold',
  'object-delete': 's3:ObjectRemoved:Delete',
  'marker-put': 's3:ObjectRemoved:DeleteMarkerCreated',
  'object-transition': 's3:ObjectTransition:Complete',
  'object-restore': 's3:ObjectRestore:Completed',
  'marker-expired': 's3:LifecycleDelMarkerExpiration:Delete',
  'bucket-create': 's3:BucketCreated:*',
  'bucket-delete': 's3:BucketRemoved:*',
}

/** Event names of requests that change nothing, by operation. */
export const ACCESS_EVENTS: ReadonlyMap<string, string> = new Map([
  ['GetObject', 's3:ObjectAccessed:Get'],
  ['HeadObject', 's3:ObjectAccessed:Head'],
  ['GetObjectAttributes', 's3:ObjectAccessed:Attributes'],
  ['GetObjectRetention', 's3:ObjectAccessed:GetRetention'],
  ['GetObjectLegalHold', 's3:ObjectAccessed:GetLegalHold'],
])

/** Event names that rules may contain although this store never sends them. */
const UNSENT_EVENTS = [
  's3:ObjectRemoved:NoOP',
  's3:ObjectRemoved:DeleteAllVersions',
  's3:Replication:OperationFailedReplication',
  's3:Replication:OperationCompletedReplication',
  's3:Replication:OperationNotTracked',
  's3:Replication:OperationMissedThreshold',
  's3:Replication:OperationReplicatedAfterThreshold',
  's3:ObjectRestore:Post',
  's3:ObjectTransition:Failed',
  's3:Scanner:ManyVersions',
  's3:Scanner:LargeVersions',
  's3:Scanner:BigPrefix',
]

const EVENT_NAMES = new Set([
  ...Object.values(CHANGE_EVENTS),
  's3:ObjectCreated:Post',
  ...ACCESS_EVENTS.values(),
  ...UNSENT_EVENTS,
])
const EVENT_PATTERNS = new Set([
  ...EVENT_NAMES,
  ...[...EVENT_NAMES].map((name) => `${name.slice(0, name.lastIndexOf(':'))}:*`),
])

/** Whether a text is the name of an event, or of a family: `s3:ObjectCreated:*`. */
export function isEventPattern(text: string): boolean {
  return EVENT_PATTERNS.has(text)
}

export function matchesEvent(patterns: readonly string[], name: string): boolean {
  return patterns.some(
    (pattern) => pattern === name || (pattern.endsWith(':*') && name.startsWith(pattern.slice(0, -1))),
  )
}
