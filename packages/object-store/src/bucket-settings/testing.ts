import type { Engine } from '../engine/types.ts'
import { type SettingName, settingCodecs } from './index.ts'

/** Sets one setting from its document, for tests; `undefined` removes it. */
export function setDocument(
  engine: Pick<Engine, 'setBucketSettings'>,
  bucket: string,
  name: SettingName,
  document: string | undefined,
): Promise<void> {
  return engine.setBucketSettings(bucket, {
    [name]: document === undefined ? undefined : settingCodecs[name].read(document),
  })
}
