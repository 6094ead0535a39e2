/** One acknowledged change. `seq` grows by one with each. */
export interface Change {
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
  /** Who asked for it; undefined for what the store did by itself. */
  requester?: Requester
}

/** Who asked for a change. */
export interface Requester {
  /** The user; empty for an anonymous caller. */
  user: string
  /** Of the client. */
  address: string
  userAgent: string
  requestId: string
  /** It came by a form of a browser. */
  form?: true
}
