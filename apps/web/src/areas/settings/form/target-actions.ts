import type { Output } from '@stowage/contract'
import { change } from '../../../lib/changes/change.ts'
import { recordSaved } from '../../../lib/changes/server-restart.ts'
import { confirm } from '../../../lib/feedback/confirm.ts'
import { toast } from '../../../lib/feedback/toast.ts'
import { t } from '../../../lib/text/i18n.ts'

/** A subsystem, or one of its targets. */
interface TargetName {
  /** The name of the subsystem. */
  name: string
  /** `_` is the target without a name, which always exists. */
  target: string
}

/** Returns the part of a request that names the target; nothing for the one without a name. */
export const targetParam = (target: string) => (target === '_' ? {} : { arn_resource_id: target })

/** Turns a target on or off. Its other values stay. */
export async function setTargetEnabled({ name, target }: TargetName, value: 'on' | 'off'): Promise<void> {
  try {
    await change(
      'setConfig',
      { params: { name }, body: { key_values: [{ key: 'enable', value }], ...targetParam(target) } },
      { message: (answer) => recordSaved(answer) },
    )
  } catch (error) {
    toast.failure(error)
  }
}

/** Asks whether to set all values back to their defaults. A target with a name is removed by this. */
export function askResetTarget({ name, target }: TargetName, onDone?: (answer: Output<'resetConfig'>) => void): void {
  const isNamed = target !== '_'
  confirm({
    title: isNamed ? t('Delete Target') : t('Reset Configuration'),
    subject: isNamed ? `${name}:${target}` : name,
    body: isNamed
      ? t('The target is removed with all its values.')
      : t('All values return to their defaults. Values that environment variables set stay.'),
    action: isNamed ? t('Delete Target') : t('Reset Configuration'),
    danger: true,
    run: () =>
      change(
        'resetConfig',
        { params: { name }, body: targetParam(target) },
        { ...(onDone && { onDone }), message: (answer) => recordSaved(answer) },
      ),
  })
}
