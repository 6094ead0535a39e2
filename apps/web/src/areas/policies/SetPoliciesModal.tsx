import { useForm } from '@mantine/form'
import type { Output } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api/query.ts'
import { useChange } from '../../lib/changes/change.ts'
import { useT } from '../../lib/text/i18n.ts'
import { ConflictNotice, useEditBase } from '../../ui/dialog/ConflictNotice.tsx'
import { FormModal } from '../../ui/dialog/FormModal.tsx'
import { PickList } from '../../ui/form/PickList.tsx'
import { StatusIcon } from '../../ui/icons/StatusIcon.tsx'

const policyNames = ({ policies }: Output<'listPolicies'>) => policies.map(({ name }) => name)

interface SetPoliciesModalProps {
  entityType: 'user' | 'group'
  entityName: string
  /** The policies that are currently attached. */
  policies: readonly string[]
  /** Whether more policies may be attached: servers report none for a disabled group. */
  hidden?: boolean
  onClose: () => void
}

/** The dialog to replace the policies of a user or group. */
export function SetPoliciesModal({ entityType, entityName, policies, hidden = false, onClose }: SetPoliciesModalProps) {
  const t = useT()
  const query = useQuery({ ...q('listPolicies', {}), select: policyNames })
  const form = useForm({ initialValues: { name: [...policies] } })
  const save = useChange('setPolicies', {
    onDone: onClose,
    message: () => t('Policies of {{name}} updated', { name: entityName }),
  })
  const { before, changedTo } = useEditBase(policies, save, entityType === 'user' ? 'getUser' : 'getGroup')
  return (
    <FormModal
      title={t('Set Policies')}
      subject={entityName}
      form={form}
      change={save}
      onClose={onClose}
      onSubmit={({ name }) =>
        // While the server hides the policies, there is nothing to compare with.
        save.run({ body: { name, entityType, entityName, ...(hidden ? {} : { before: [...before] }) } })
      }
    >
      {changedTo && <ConflictNotice text={changedTo.join('\n')} />}
      {hidden && (
        <StatusIcon state="warn">
          {t('The server does not show the policies of a disabled group. Save replaces them.')}
        </StatusIcon>
      )}
      <PickList
        label={t('Policies')}
        search={t('Search Policies')}
        empty={t('No Policies Available')}
        query={query}
        value={form.values.name}
        onChange={(name) => form.setFieldValue('name', name)}
      />
    </FormModal>
  )
}
