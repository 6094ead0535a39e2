import { useForm } from '@mantine/form'
import type { Output } from '@stowage/contract'
import type { Group } from '@stowage/contract/groups/groups'
import { useQuery } from '@tanstack/react-query'
import { useFreshRead } from '../../lib/api/fresh-read.ts'
import { q } from '../../lib/api/query.ts'
import { useChange } from '../../lib/changes/change.ts'
import { haveSameNames, pickFields } from '../../lib/changes/changed-fields.ts'
import { useT } from '../../lib/text/i18n.ts'
import { requiredRule } from '../../lib/text/required-field.ts'
import { ConflictNotice, useEditBase } from '../../ui/dialog/ConflictNotice.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { FormModal } from '../../ui/dialog/FormModal.tsx'
import { QueryView } from '../../ui/feedback/QueryView.tsx'
import { PickList } from '../../ui/form/PickList.tsx'
import { SwitchField } from '../../ui/form/SwitchField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'

const userNames = ({ users }: Output<'listUsers'>) => users.map(({ accessKey }) => accessKey)

/** The dialog to create a group. A new group is enabled. */
export function CreateGroupModal({ existing, onClose }: { existing: readonly string[]; onClose: () => void }) {
  const t = useT()
  const form = useForm({
    initialValues: { group: '', members: [] as string[] },
    validate: {
      group: (name) =>
        requiredRule(t)(name) ?? (existing.includes(name.trim()) ? t('A group with this name already exists') : null),
    },
    validateInputOnBlur: ['group'],
  })
  const create = useChange('createGroup', {
    onDone: onClose,
    message: (_, { body }) => t('Group {{name}} created', { name: body.group }),
  })
  return (
    <FormModal
      title={t('Create Group')}
      form={form}
      change={create}
      onClose={onClose}
      ready={form.values.group.trim() !== ''}
      onSubmit={({ group, members }) => create.run({ body: { group: group.trim(), members, create_only: true } })}
    >
      <TextField label={t('Group Name')} data-autofocus {...form.getInputProps('group')} />
      <MembersField value={form.values.members} onChange={(members) => form.setFieldValue('members', members)} />
    </FormModal>
  )
}

/** The dialog to change the members and the status of a group. */
export function EditGroupModal({ name, onClose }: { name: string; onClose: () => void }) {
  const t = useT()
  const query = useFreshRead('getGroup', { query: { name } })
  if (query.data && query.error === null) return <EditGroupForm group={query.data} onClose={onClose} />
  return (
    <Dialog title={t('Edit Group')} onClose={onClose}>
      <QueryView query={query} needs={{ action: 'admin:GetGroup' }}>
        {() => null}
      </QueryView>
    </Dialog>
  )
}

function EditGroupForm({ group, onClose }: { group: Group; onClose: () => void }) {
  const t = useT()
  const { name } = group
  const form = useForm({ initialValues: { members: [...group.members], enabled: group.status === 'enabled' } })
  const save = useChange('updateGroup', {
    onDone: onClose,
    message: () => t('Group {{name}} updated', { name }),
  })
  const { before, changedTo } = useEditBase(group, save, 'getGroup')
  return (
    <FormModal
      title={t('Edit Group')}
      subject={name}
      form={form}
      change={save}
      onClose={onClose}
      onSubmit={({ members, enabled }) => {
        const status = enabled ? 'enabled' : 'disabled'
        // Only what is changed here: another administrator may have changed the rest.
        const changes = {
          ...(haveSameNames(members, before.members) ? {} : { members }),
          ...(status === before.status ? {} : ({ status } as const)),
        }
        if (Object.keys(changes).length === 0) return onClose()
        save.run({ query: { name }, body: { ...changes, before: pickFields(before, Object.keys(changes)) } })
      }}
    >
      {changedTo && <ConflictNotice text={[changedTo.status, ...changedTo.members].join('\n')} />}
      <TextField label={t('Group Name')} value={name} disabled readOnly />
      <SwitchField
        label={form.values.enabled ? t('Enabled') : t('Disabled')}
        hint={t('While a group is disabled, its members have no rights at all.')}
        {...form.getInputProps('enabled', { type: 'checkbox' })}
      />
      <MembersField value={form.values.members} onChange={(members) => form.setFieldValue('members', members)} />
    </FormModal>
  )
}

function MembersField({ value, onChange }: { value: readonly string[]; onChange: (names: string[]) => void }) {
  const t = useT()
  const query = useQuery({ ...q('listUsers', {}), select: userNames })
  return (
    <PickList
      label={t('Members')}
      search={t('Search Users')}
      empty={t('No Users Available')}
      query={query}
      value={value}
      onChange={onChange}
    />
  )
}
