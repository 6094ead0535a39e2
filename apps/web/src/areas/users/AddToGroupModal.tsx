import { useForm } from '@mantine/form'
import type { Output } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api/query.ts'
import { useChange } from '../../lib/changes/change.ts'
import { formatList } from '../../lib/text/format.ts'
import { plural, useT } from '../../lib/text/i18n.ts'
import { FormModal } from '../../ui/dialog/FormModal.tsx'
import { PickList } from '../../ui/form/PickList.tsx'

const groupNames = ({ groups }: Output<'listGroups'>) => groups
/** The number of users that are listed by name. */
const MAX_NAMED_USERS = 5

/** The dialog to add the selected users to groups. */
export function AddToGroupModal({ users, onClose }: { users: string[]; onClose: () => void }) {
  const t = useT()
  const query = useQuery({ ...q('listGroups', {}), select: groupNames })
  const form = useForm({ initialValues: { groups: [] as string[] } })
  const add = useChange('addUsersToGroups', {
    onDone: onClose,
    message: (_, { body }) =>
      t(plural('{{count}} user added to groups', '{{count}} users added to groups'), { count: body.users.length }),
  })
  const { groups } = form.values
  const [chosen, setChosen] = useState(false)
  return (
    <FormModal
      title={t('Add Users to Group')}
      form={form}
      change={add}
      onClose={onClose}
      ready={groups.length > 0}
      onSubmit={(values) => add.run({ body: { users, groups: values.groups } })}
    >
      <p className="ink-2">
        {users.length <= MAX_NAMED_USERS
          ? formatList(users)
          : t(plural('{{count}} user', '{{count}} users'), { count: users.length })}
      </p>
      <PickList
        label={t('Groups')}
        search={t('Search Groups')}
        empty={t('No Groups Available')}
        query={query}
        value={groups}
        onChange={(names) => {
          setChosen(true)
          form.setFieldValue('groups', names)
        }}
        error={groups.length === 0 && chosen && t('You need to select at least one group to assign')}
      />
    </FormModal>
  )
}
