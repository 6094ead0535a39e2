import type { Output } from '@stowage/contract'
import { change } from '../../lib/api/change.ts'
import { confirm } from '../../lib/feedback/confirm.ts'
import { noteSaved } from '../../lib/feedback/restart.ts'
import { toast } from '../../lib/feedback/toast.ts'
import { t } from '../../lib/text/i18n.ts'

/** A subsystem, or one of its targets. */
interface Target {
  /** The name of the subsystem. */
  name: string
  /** `_` is the target without a name, which always exists. */
  target: string
}

/** Returns the part of a request that names the target; nothing for the one without a name. */
export const targetOf = (target: string) => (target === '_' ? {} : { arn_resource_id: target })

/** Turns a target on or off. Its other values stay. */
export async function enableTarget({ name, target }: Target, value: 'on' | 'off'): Promise<void> {
  try {
    await change(
      'setConfig',
      { params: { name }, body: { key_values: [{ key: 'enable', value }], ...targetOf(target) } },
      { message: (answer) => noteSaved(answer) },
    )
  } catch (error) {
    toast.failure(error)
  }
}

/** Asks whether to set all values back to their defaults. A target with a name is removed by this. */
export function askReset({ name, target }: Target, onDone?: (answer: Output<'resetConfig'>) => void): void {
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
        { params: { name }, body: targetOf(target) },
        { ...(onDone && { onDone }), message: (answer) => noteSaved(answer) },
      ),
  })
}
