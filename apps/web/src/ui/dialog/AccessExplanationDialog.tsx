import { Button } from '@mantine/core'
import { type ConsoleAction, type PermissionScope, usePermissionReport } from '../../lib/data/permissions.ts'
import { openExplanation, pathToExplanation } from '../../lib/session/access-explanation.ts'
import { useSession } from '../../lib/session/session.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Link } from '../controls/Link.tsx'
import { DecisionExplanation } from '../feedback/DecisionExplanation.tsx'
import { Dialog } from './Dialog.tsx'

/** The dialog that explains why a control is disabled: how the caller's policies decide about the required permission. */
export function AccessExplanationDialog({ right }: { right: PermissionScope & { action: ConsoleAction } }) {
  const t = useT()
  const { operator } = useSession()
  const why = usePermissionReport(right.action, right)
  const close = () => openExplanation.set(undefined)
  return (
    <Dialog title={t('Needs {{action}}', { action: right.action })} size="lg" onClose={close}>
      {why && <DecisionExplanation why={why} />}
      {!operator && (
        <Button component={Link} to={pathToExplanation(right)} onClick={close} mt="md">
          {t('Open in Can they?')}
        </Button>
      )}
    </Dialog>
  )
}
