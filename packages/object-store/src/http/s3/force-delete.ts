import { S3Error } from '../../errors.ts'
import type { Call } from '../call.ts'

const BATCH = 1000

/** Deletes everything under the key, all versions, as `x-minio-force-delete: true` asks. @throws S3Error MethodNotAllowed */
export async function forceDeletePrefix(call: Call): Promise<void> {
  const { engine, bucket, key } = call
  if (engine.getBucket(bucket).objectLock) {
    throw new S3Error('MethodNotAllowed', 'A bucket with object lock keeps its versions.')
  }
  // `a/b` means the object a/b and what is below a/b/, and not a/bc.
  const below = key.endsWith('/') ? key : `${key}/`
  await deleteVersions(call, below, () => true)
  if (below !== key) await deleteVersions(call, key, (candidate) => candidate === key)
}

async function deleteVersions(call: Call, prefix: string, wanted: (key: string) => boolean): Promise<void> {
  const { engine, bucket } = call
  for (;;) {
    const page = engine.listVersions(bucket, { prefix, delimiter: '', after: '', limit: BATCH })
    const entries = page.entries.flatMap((entry) =>
      'object' in entry && wanted(entry.object.key)
        ? [{ key: entry.object.key, versionId: entry.object.versionId }]
        : [],
    )
    if (entries.length === 0) return
    for (const result of await engine.deleteObjects(bucket, entries)) if (result instanceof Error) throw result
    if (!page.truncated) return
  }
}
