import { useFreshRead } from '../../lib/api/fresh-read.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { QueryView } from '../../ui/feedback/QueryView.tsx'
import { SetPoliciesModal } from '../policies/SetPoliciesModal.tsx'

/** The dialog to replace the policies of a group. */
export function GroupPoliciesModal({ name, onClose }: { name: string; onClose: () => void }) {
  const t = useT()
  const query = useFreshRead('getGroup', { query: { name } })
  if (query.data && query.error === null) {
    const policies = query.data.policy.split(',').filter((policy) => policy !== '')
    return (
      <SetPoliciesModal
        entityType="group"
        entityName={name}
        policies={policies}
        hidden={query.data.status === 'disabled'}
        onClose={onClose}
      />
    )
  }
  return (
    <Dialog title={t('Set Policies')} onClose={onClose}>
      <QueryView query={query} needs={{ action: 'admin:GetGroup' }}>
        {() => null}
      </QueryView>
    </Dialog>
  )
}
