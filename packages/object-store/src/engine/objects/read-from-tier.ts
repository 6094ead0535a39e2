import type { EngineCore } from '../core/engine-core.ts'
import { decryptInline, decryptSegments, type ObjectEncryptionKey } from '../encryption/object-encryption.ts'
import type { VersionRecord } from '../records/index-records.ts'
import { readTierObject, requireTierAccess } from '../versions/tier-objects.ts'

/** Reads `[start, end)` of a version from its tier. */
export async function* readFromTier(
  core: EngineCore,
  record: VersionRecord,
  key: ObjectEncryptionKey | undefined,
  range: { start: number; end: number },
): AsyncGenerator<Buffer, void, void> {
  const access = requireTierAccess(core)
  const object = record.tier?.object ?? ''
  const { tier, inline, segments, size } = readTierObject(core.index, object)
  if (range.start >= range.end) return
  if (!key) return yield* access.get(tier, object, range)
  if (inline) {
    const chunks: Buffer[] = []
    for await (const chunk of access.get(tier, object, { start: 0, end: size })) chunks.push(Buffer.from(chunk))
    yield decryptInline(key, Buffer.concat(chunks)).subarray(range.start, range.end)
    return
  }
  // The tier object contains the segments one after another.
  const begin = new Map<string, number>()
  let at = 0
  for (const { blob, length } of segments) {
    begin.set(blob, at)
    at += length
  }
  yield* decryptSegments(key, segments, range, ({ blob }, from, to) => {
    const base = begin.get(blob) ?? 0
    return access.get(tier, object, { start: base + from, end: base + to })
  })
}
