import type { ActionName } from '@stowage/iam-policy'
import { asFailure } from '../../../lib/api/api.ts'
import { MissingPermission } from '../../../ui/controls/Disabled.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { CellNote } from '../../../ui/page/Cell.tsx'

/** Shown in a cell whose value could not be read: the missing action, or the error message. */
export function CellFailure({ error, action }: { error: unknown; action: ActionName }) {
  const failure = asFailure(error)
  return (
    <CellNote>
      {failure.status === 403 ? (
        <MissingPermission action={action} />
      ) : (
        <StatusIcon state="bad">{failure.errorMessage}</StatusIcon>
      )}
    </CellNote>
  )
}
