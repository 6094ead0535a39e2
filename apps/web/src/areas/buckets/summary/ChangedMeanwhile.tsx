import type { ReadOperation } from '@stowage/contract'
import { useEffect, useState } from 'react'
import type { Change } from '../../../lib/api/change.ts'
import { invalidate } from '../../../lib/api/query.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Banner } from '../../../ui/Banner.tsx'
import css from '../buckets.module.css'

interface Base<Value> {
  /** The value that the next save is based on: the last one that the dialog has shown. */
  before: Value
  /** What is stored now, if a save was refused because another administrator had changed it. */
  changedTo: Value | undefined
}

/**
 * Returns the stored value that a dialog is based on. When a save is refused because the value has changed, it is read again;
 * from then on the dialog shows it with `ChangedMeanwhile` and is based on it. The input is kept.
 * @param stored the value of the query; only the first one counts until a save is refused
 * @param operation the call that reads it
 */
export function useBase<Value>(stored: Value, { error }: Pick<Change, 'error'>, operation: ReadOperation): Base<Value> {
  const [first] = useState(() => stored)
  const [isRefused, setRefused] = useState(false)
  const reason = error?.reason
  useEffect(() => {
    if (reason !== 'setting-changed' && reason !== 'policy-changed') return
    void invalidate(operation).then(() => setRefused(true))
  }, [reason, operation])
  return { before: isRefused ? stored : first, changedTo: isRefused ? stored : undefined }
}

/** Shows the stored value above the input of a dialog. @param text the value; empty if the setting was removed */
export function ChangedMeanwhile({ text }: { text: string }) {
  const t = useT()
  return (
    <Banner kind="warn" title={t('Somebody has changed this meanwhile')}>
      {t('Saving again replaces what is stored now:')}
      <pre className={css.storedNow}>{text === '' ? t('None') : text}</pre>
    </Banner>
  )
}
