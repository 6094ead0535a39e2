import type { CopiedSetting } from '@stowage/contract'
import { useSession } from '../../lib/session/session.ts'
import { type Message, msg } from '../../lib/text/i18n.ts'

export const settingWords: Readonly<Record<CopiedSetting, Message>> = {
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

const all = Object.keys(settingWords) as CopiedSetting[]
const NEED_DRIVES: readonly CopiedSetting[] = ['versioning', 'retention', 'quota', 'lifecycle']

/** The settings that a bucket of this server may have. */
export function useCopiedSettings(): CopiedSetting[] {
  const { distributedMode, capabilities } = useSession()
  return all.filter(
    (setting) =>
      (distributedMode || !NEED_DRIVES.includes(setting)) &&
      (setting !== 'cors' || capabilities.includes('bucket-cors')),
  )
}

/** Chosen at first: all but the policy, which may open the bucket to others. */
export const chosenAtFirst = (settings: readonly CopiedSetting[]) => settings.filter((setting) => setting !== 'policy')
