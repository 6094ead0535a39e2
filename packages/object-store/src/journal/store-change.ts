/** An acknowledged change. `seq` increases by one with each. */
export interface StoreChange {
  seq: number
  time: number
  /** `put`, `delete` …: what happened, for events, replication, lifecycle and metrics. */
  type:
    | 'object-put'
    | 'object-copy'
    | 'object-complete'
    | 'object-delete'
    | 'marker-put'
    | 'marker-expired'
    | 'object-transition'
    | 'object-restore'
    | 'object-tags'
    | 'object-tags-removed'
    | 'object-retention'
    | 'object-legal-hold'
    | 'bucket-create'
    | 'bucket-delete'
    | 'bucket-setting'
    | 'other'
  bucket?: string
  key?: string
  versionId?: string
  size?: number
  etag?: string
  /** The caller who requested it; undefined for changes by the store itself. */
  requester?: Requester
}

/** The caller who requested a change. */
export interface Requester {
  /** The user; empty for an anonymous caller. */
  user: string
  /** Address of the client. */
  address: string
  userAgent: string
  requestId: string
  /** It was requested by a browser form. */
  form?: true
}

/** User agent of removals by lifecycle rules, as used by MinIO and its forks. */
export const EXPIRY_USER_AGENT = 'Internal: [ILM-Expiry]'
