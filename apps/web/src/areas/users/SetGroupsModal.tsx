import { useForm } from '@mantine/form'
import type { Output } from '@stowage/contract'
import type { User } from '@stowage/contract/users/users'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api/query.ts'
import { useChange } from '../../lib/changes/change.ts'
import { useT } from '../../lib/text/i18n.ts'
import { ConflictNotice, useEditBase } from '../../ui/dialog/ConflictNotice.tsx'
import { FormModal } from '../../ui/dialog/FormModal.tsx'
import { PickList } from '../../ui/form/PickList.tsx'

const groupNames = ({ groups }: Output<'listGroups'>) => groups

/** The dialog to set the groups of a user. */
export function SetGroupsModal({ user, onClose }: { user: User; onClose: () => void }) {
  const t = useT()
  const { accessKey, memberOf } = user
  const query = useQuery({ ...q('listGroups', {}), select: groupNames })
  const form = useForm({ initialValues: { groups: [...memberOf] } })
  const save = useChange('updateUser', {
    onDone: onClose,
    message: () => t('Groups of {{name}} updated', { name: accessKey }),
  })
  const { before, changedTo } = useEditBase(memberOf, save, 'getUser')
  return (
    <FormModal
      title={t('Set Groups')}
      subject={accessKey}
      form={form}
      change={save}
      onClose={onClose}
      onSubmit={({ groups }) =>
        save.run({ query: { name: accessKey }, body: { groups, before: { groups: [...before] } } })
      }
    >
      {changedTo && <ConflictNotice text={changedTo.join('\n')} />}
      <PickList
        label={t('Groups')}
        search={t('Search Groups')}
        empty={t('No Groups Available')}
        query={query}
        value={form.values.groups}
        onChange={(names) => form.setFieldValue('groups', names)}
      />
    </FormModal>
  )
}
