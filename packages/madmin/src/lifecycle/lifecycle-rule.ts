import type { XmlNode } from '../formats/xml.ts'

/** Unknown elements; an edit of the rule writes them back. */
export type UnknownElements = { readonly [name: string]: XmlNode | XmlNode[] }

/** The objects that a rule applies to: those that match all criteria. */
export interface LifecycleFilter {
  prefix: string
  tags: Readonly<Record<string, string>>
  /** Whether the document has its conditions in `And`. It is written again in the same form, which clients edit. */
  isAnd?: boolean
  /** Bytes: objects that are larger. */
  sizeGreaterThan?: number
  /** Bytes: only smaller objects. */
  sizeLessThan?: number
  others: UnknownElements
}

/** Either `days` after the object was written, or at a `date` (ms since 1970, midnight UTC). */
export interface LifecycleTransition {
  days?: number
  date?: number
  /** Name of a tier. */
  storageClass: string
}

export interface NoncurrentTransition {
  days?: number
  /** Number of newest noncurrent versions to keep. */
  newerVersions?: number
  storageClass: string
}

/** A rule of a bucket's lifecycle. Days count from when an object was written, or a version became noncurrent. */
export interface S3LifecycleRule {
  id: string
  enabled: boolean
  filter: LifecycleFilter
  /** The prefix is an element of the rule itself, without a filter, as clients before 2018 write it. */
  hasOldPrefix: boolean
  expiration?: {
    days?: number
    /** ms since 1970, midnight UTC. */
    date?: number
    /** Deletes delete markers that are the only version of their key. */
    deleteMarkers?: boolean
    /** Deletes all versions of the object instead of adding a delete marker. */
    allVersions?: boolean
  }
  /** Age at which a delete marker is deleted, together with all older versions. */
  deleteMarkerDays?: number
  noncurrentExpiration?: {
    days?: number
    /** Number of newest noncurrent versions to keep. */
    newerVersions?: number
  }
  transitions: readonly LifecycleTransition[]
  noncurrentTransitions: readonly NoncurrentTransition[]
  /** Age at which an unfinished multipart upload is aborted. */
  abortUploadsDays?: number
  others: UnknownElements
}
