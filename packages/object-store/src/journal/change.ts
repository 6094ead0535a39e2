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
    | 'object-tags'
    | 'bucket-create'
    | 'bucket-delete'
    | 'bucket-setting'
    | 'other'
  bucket?: string
  key?: string
  versionId?: string
  size?: number
  etag?: string
}
