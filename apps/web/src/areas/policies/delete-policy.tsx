import { asFailure } from '../../lib/api/api.ts'
import { change } from '../../lib/changes/change.ts'
import { confirmDelete, openConfirmation } from '../../lib/feedback/confirm.ts'
import { pathTo } from '../../lib/navigation/pages.ts'
import { t, useT } from '../../lib/text/i18n.ts'
import { Link } from '../../ui/controls/Link.tsx'

/** Deletes a policy after confirmation. @param onDone leaves the page of the policy */
export function askDeletePolicy(policy: string, onDone?: () => void) {
  confirmDelete({
    title: t('Delete Policy'),
    name: policy,
    run: () =>
      change(
        'deletePolicy',
        { query: { name: policy } },
        { message: () => t('Policy {{name}} deleted', { name: policy }), ...(onDone && { onDone }) },
      ),
    help: (error) => asFailure(error).code === 'XMinioIAMPolicyInUse' && <PolicyHolderLinks policy={policy} />,
  })
}

/** Links to the users and groups that the policy is attached to, which prevents its deletion. */
function PolicyHolderLinks({ policy }: { policy: string }) {
  const t = useT()
  const close = () => openConfirmation.set(undefined)
  return (
    <>
      <Link to={pathTo('/policies/$policy/users', { policy })} className="link" onClick={close}>
        {t('Show its users')}
      </Link>{' '}
      <Link to={pathTo('/policies/$policy/groups', { policy })} className="link" onClick={close}>
        {t('Show its groups')}
      </Link>
    </>
  )
}
