import type { Quota } from '@stowage/contract'
import { useSession } from '../../../lib/session/session.ts'
import { type Message, msg, useT } from '../../../lib/text/i18n.ts'

export type QuotaTypeChoice = Quota['type']

/** Explains what happens when the limit is reached, for each type. */
export const quotaTypeHints: Record<QuotaTypeChoice, Message> = {
  hard: msg('Writes are refused when the bucket is full.'),
  fifo: msg('The oldest objects are deleted when the bucket is full.'),
}

/**
 * Returns the types to choose from. Servers since 2022 reject 'fifo', so it is offered only if the server supports it or it is
 * already set.
 */
export function useQuotaTypes(current: QuotaTypeChoice): { value: QuotaTypeChoice; label: string }[] {
  const t = useT()
  const { capabilities } = useSession()
  const hard = { value: 'hard' as const, label: t('Hard') }
  const fifo = { value: 'fifo' as const, label: t('FIFO') }
  return capabilities.includes('quota-fifo') || current === 'fifo' ? [hard, fifo] : [hard]
}
