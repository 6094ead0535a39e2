import { useState } from 'react'
import { useT } from '../../../../lib/text/i18n.ts'
import { Dialog } from '../../../../ui/dialog/Dialog.tsx'
import form from '../../../../ui/dialog/FormModal.module.css'
import { WIDE_DIALOG_WIDTH } from '../../../../ui/dialog/FormModal.tsx'
import css from '../../tenants.module.css'
import { sizePlanProblems } from '../draft/draft-problems.ts'
import { sizePlan } from '../draft/draft-sizing.ts'
import { newTenantDraft } from '../draft/tenant-draft.ts'
import { SizeFields, SizeTables } from './SizeFields.tsx'

/** The dialog that calculates the capacity of servers, drives and a parity, without a tenant. */
export function CalculatorDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const [size, setSize] = useState(newTenantDraft().tenantSize)
  return (
    <Dialog title={t('Erasure Code Calculator')} onClose={onClose} size={WIDE_DIALOG_WIDTH} fields>
      <div className={form.body}>
        <div className={css.stack}>
          <SizeFields
            size={size}
            problems={sizePlanProblems(t, size, Number.MAX_SAFE_INTEGER)}
            parity
            memory={false}
            isFirst
            onChange={(part) => setSize((before) => ({ ...before, ...part }))}
          />
          <SizeTables plan={sizePlan(size)} />
        </div>
      </div>
    </Dialog>
  )
}
