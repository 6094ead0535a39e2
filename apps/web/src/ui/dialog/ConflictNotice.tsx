import type { ReadOperation } from '@stowage/contract'
import { useEffect, useRef, useState } from 'react'
import { asFailure } from '../../lib/api/api-failure.ts'
import { invalidate } from '../../lib/api/query.ts'
import type { FormChange } from '../../lib/changes/change.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Banner } from '../feedback/Banner.tsx'
import css from './ConflictNotice.module.css'

interface EditBase<Value> {
  /** The value that the next save is based on: the last one that the dialog has shown. */
  before: Value
  /** What is stored now, if a save was refused because another administrator had changed it. */
  changedTo: Value | undefined
}

/**
 * Returns the stored value that a dialog is based on. When a save is refused because the value has changed, it is read again;
 * from then on the dialog shows it with `ConflictNotice` and is based on it. The input is kept.
 * @param stored the value of the query; only the first one counts until a save is refused
 * @param operation the call that reads it
 */
export function useEditBase<Value>(
  stored: Value,
  { error }: Pick<FormChange, 'error'>,
  operation: ReadOperation,
): EditBase<Value> {
  const [first] = useState(() => stored)
  const [isRefused, setRefused] = useState(false)
  const hasChanged = isEditConflict(error)
  useEffect(() => {
    if (hasChanged) void invalidate(operation).then(() => setRefused(true))
  }, [hasChanged, operation])
  return { before: isRefused ? stored : first, changedTo: isRefused ? stored : undefined }
}

/** Reports whether a save was refused because another administrator had changed the setting. */
export function isEditConflict(error: unknown): boolean {
  if (error == null) return false
  const { reason } = asFailure(error)
  return reason === 'setting-changed' || reason === 'policy-changed'
}

/**
 * Shows the stored value above the input of a dialog. Takes the focus, which also scrolls it into view: the Save button may be
 * far below. @param text the value; empty if the setting was removed
 */
export function ConflictNotice({ text }: { text: string }) {
  const t = useT()
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each value that is shown
  useEffect(() => box.current?.focus(), [text])
  return (
    <div ref={box} tabIndex={-1}>
      <Banner kind="warn" title={t('Somebody has changed this meanwhile')}>
        {t('Saving again replaces what is stored now:')}
        <pre className={css.storedNow}>{text === '' ? t('None') : text}</pre>
      </Banner>
    </div>
  )
}
