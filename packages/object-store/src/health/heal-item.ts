import type { HealCopy, HealResult } from '../engine/interface/types.ts'

/**
 * Returns a heal result in the form of MinIO and its forks. Every byte is stored twice: one copy is needed, one is redundant.
 */
export function wireHealItem(
  { type, bucket, key, versionId, size, before, after, error }: HealResult,
  id: number,
): object {
  return {
    resultId: id,
    type,
    bucket,
    object: key,
    versionId: versionId === 'null' ? '' : versionId,
    detail: error ?? '',
    parityBlocks: 1,
    dataBlocks: 1,
    diskCount: Math.max(before.length, after.length),
    setCount: type === 'bucket' ? 1 : 0,
    before: { drives: before.map(wireCopy) },
    after: { drives: after.map(wireCopy) },
    objectSize: type === 'bucket' ? -1 : size,
  }
}

const wireCopy = ({ id, path, state }: HealCopy) => ({ uuid: id, endpoint: path, state })
