import { useState } from 'react'
import { useT } from '../../../lib/text/i18n.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import form from '../../../ui/FormModal.module.css'
import { WIDE_DIALOG } from '../../../ui/FormModal.tsx'
import css from '../tenants.module.css'
import { newDraft } from './draft.ts'
import { planProblems } from './problems.ts'
import { SizeFields, SizeTables } from './SizeFields.tsx'
import { planOf } from './sizing.ts'

/** The dialog that calculates the capacity of servers, drives and a parity, without a tenant. */
export function CalculatorDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const [size, setSize] = useState(newDraft().tenantSize)
  return (
    <Dialog title={t('Erasure Code Calculator')} onClose={onClose} size={WIDE_DIALOG} fields>
      <div className={form.body}>
        <div className={css.stack}>
          <SizeFields
            size={size}
            problems={planProblems(t, size, Number.MAX_SAFE_INTEGER)}
            parity
            memory={false}
            isFirst
            onChange={(part) => setSize((before) => ({ ...before, ...part }))}
          />
          <SizeTables plan={planOf(size)} />
        </div>
      </div>
    </Dialog>
  )
}
