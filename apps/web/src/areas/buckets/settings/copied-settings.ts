import type { CopiedSetting } from '@stowage/contract'
import { useSession } from '../../../lib/session/session.ts'
import { type Message, msg } from '../../../lib/text/i18n.ts'

export const bucketSettingLabels: Readonly<Record<CopiedSetting, Message>> = {
  versioning: msg('Versioning'),
  retention: msg('Retention'),
  quota: msg('Quota'),
  encryption: msg('Encryption'),
  tags: msg('Tags'),
  cors: msg('CORS'),
  lifecycle: msg('Lifecycle rules'),
  events: msg('Events'),
  policy: msg('Access policy'),
}

const all = Object.keys(bucketSettingLabels) as CopiedSetting[]
const NEED_DRIVES: readonly CopiedSetting[] = ['versioning', 'retention', 'quota', 'lifecycle']

/** Returns the settings that buckets of this server can have. */
export function useCopiedSettings(): CopiedSetting[] {
  const { distributedMode, capabilities } = useSession()
  return all.filter(
    (setting) =>
      (distributedMode || !NEED_DRIVES.includes(setting)) &&
      (setting !== 'cors' || capabilities.includes('bucket-cors')),
  )
}

/** Returns the settings that are selected by default: all but the policy, which could make the bucket public. */
export const defaultCopiedSettings = (settings: readonly CopiedSetting[]) =>
  settings.filter((setting) => setting !== 'policy')
