import { useForm } from '@mantine/form'
import type { Output } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../lib/api/query.ts'
import { useChange } from '../../../lib/changes/change.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { FormModal } from '../../../ui/dialog/FormModal.tsx'
import { PickList } from '../../../ui/form/PickList.tsx'
import { SegmentField } from '../../../ui/form/SegmentField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import type { DirectoryEntity } from './directory-columns.tsx'

const policyNames = ({ policies }: Output<'listPolicies'>) => policies.map(({ name }) => name)

/** Attaches policies to a user or group of the directory, or changes those of one that has some. */
export function DirectoryPoliciesModal({ entity, onClose }: { entity?: DirectoryEntity; onClose: () => void }) {
  const t = useT()
  const query = useQuery({ ...q('listPolicies', {}), select: policyNames })
  const before = entity?.policies ?? []
  const form = useForm({
    initialValues: {
      entityType: entity?.entityType ?? ('user' as const),
      entityName: entity?.name ?? '',
      policies: [...before],
    },
  })
  const save = useChange('changeDirectoryPolicies', {
    onDone: onClose,
    message: (_, { body }) => t('Policies of {{name}} updated', { name: body.entityName }),
  })
  const { entityType, entityName, policies } = form.values
  return (
    <FormModal
      title={entity ? t('Set Policies') : t('Attach Policies')}
      {...(entity ? { subject: entity.name } : {})}
      form={form}
      change={save}
      onClose={onClose}
      ready={entityName.trim() !== '' && (entity !== undefined || policies.length > 0)}
      onSubmit={() =>
        save.run({
          body: {
            entityType,
            entityName: entityName.trim(),
            attach: policies.filter((name) => !before.includes(name)),
            detach: before.filter((name) => !policies.includes(name)),
          },
        })
      }
    >
      {!entity && (
        <>
          <SegmentField
            label={t('Type')}
            data={[
              { value: 'user' as const, label: t('User') },
              { value: 'group' as const, label: t('Group') },
            ]}
            {...form.getInputProps('entityType')}
          />
          <TextField
            label={t('Name')}
            hint={
              entityType === 'user'
                ? t('The name to sign in with, or the distinguished name.')
                : t('The distinguished name, such as cn=editors,ou=groups,dc=example,dc=com.')
            }
            {...form.getInputProps('entityName')}
          />
        </>
      )}
      <PickList
        label={t('Policies')}
        search={t('Search Policies')}
        empty={t('No Policies Available')}
        query={query}
        value={policies}
        onChange={(names) => form.setFieldValue('policies', names)}
      />
    </FormModal>
  )
}
