import type { XmlNode } from '../xml.ts'

/** Elements that this program does not know; an edit of the rule writes them back. */
export type OtherElements = { readonly [name: string]: XmlNode | XmlNode[] }

/** Which objects a rule is about: those that fit everything in it. */
export interface LifecycleFilter {
  prefix: string
  tags: Readonly<Record<string, string>>
  /** Whether the document has its conditions in `And`. It is written again in the same form, which clients edit. */
  isAnd?: boolean
  /** Bytes: objects that are larger. */
  sizeGreaterThan?: number
  /** Bytes: objects that are smaller. */
  sizeLessThan?: number
  others: OtherElements
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
  /** Noncurrent versions that stay, the newest ones. */
  newerVersions?: number
  storageClass: string
}

/** A rule of a bucket's lifecycle. Days count from when an object was written, or a version ceased to be the latest. */
export interface LifecycleRule {
  id: string
  enabled: boolean
  filter: LifecycleFilter
  /** The prefix stands in the rule itself, without a filter, as clients before 2018 write it. */
  hasOldPrefix: boolean
  expiration?: {
    days?: number
    /** ms since 1970, midnight UTC. */
    date?: number
    /** Delete markers go when they are the last of their key. */
    deleteMarkers?: boolean
    /** All versions go with the object, instead of a delete marker being written. */
    allVersions?: boolean
  }
  /** Age at which a delete marker goes, with all versions behind it. */
  deleteMarkerDays?: number
  noncurrentExpiration?: {
    days?: number
    /** Noncurrent versions that stay, the newest ones. */
    newerVersions?: number
  }
  transitions: readonly LifecycleTransition[]
  noncurrentTransitions: readonly NoncurrentTransition[]
  /** Age at which an unfinished multipart upload is removed. */
  abortUploadsDays?: number
  others: OtherElements
}
