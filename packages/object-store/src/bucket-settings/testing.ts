import type { Engine } from '../engine/interface/types.ts'
import { type BucketSettingName, bucketSettingCodecs } from './bucket-settings.ts'

/** Sets one setting from its document, for tests; `undefined` removes it. */
export function setSettingDocument(
  engine: Pick<Engine, 'setBucketSettings'>,
  bucket: string,
  name: BucketSettingName,
  document: string | undefined,
): Promise<void> {
  return engine.setBucketSettings(bucket, {
    [name]: document === undefined ? undefined : bucketSettingCodecs[name].read(document),
  })
}
