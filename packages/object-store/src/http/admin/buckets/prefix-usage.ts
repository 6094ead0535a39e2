import type { Engine } from '../../../engine/interface/types.ts'

const PAGE = 1000
const MAX_PREFIXES = 1000
/** Larger buckets are not counted by prefix, because that would block other requests. */
const MAX_VERSIONS = 100_000

/** Returns the bytes of all versions below each first-level prefix; empty for a large bucket. */
export function prefixUsage(engine: Engine, bucket: string): Record<string, number> {
  const { versions, deleteMarkers } = engine.bucketUsage(bucket)
  if (versions + deleteMarkers > MAX_VERSIONS) return {}
  const sizes = new Map<string, number>()
  let after = ''
  let versionMarker: string | undefined
  for (;;) {
    const page = engine.listVersions(bucket, {
      prefix: '',
      delimiter: '',
      after,
      limit: PAGE,
      ...(versionMarker === undefined ? {} : { versionMarker }),
    })
    for (const entry of page.entries) {
      if (!('object' in entry)) continue
      const slash = entry.object.key.indexOf('/')
      if (slash < 0) continue
      const prefix = entry.object.key.slice(0, slash + 1)
      if (sizes.has(prefix) || sizes.size < MAX_PREFIXES)
        sizes.set(prefix, (sizes.get(prefix) ?? 0) + entry.object.size)
    }
    if (!page.truncated || !page.next) return Object.fromEntries(sizes)
    after = page.next.key
    versionMarker = page.next.versionId
  }
}
