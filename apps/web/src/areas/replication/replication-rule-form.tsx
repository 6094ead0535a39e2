import type { UseFormReturnType } from '@mantine/form'
import { useT } from '../../lib/text/i18n.ts'
import { SwitchField } from '../../ui/form/SwitchField.tsx'
import { TagsField } from '../../ui/form/TagsField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'

/** Which objects and which changes a rule replicates. */
export interface ReplicationRuleValues {
  prefix: string
  /** `key=value&key2=value2` */
  tags: string
  deleteMarkers: boolean
  deletes: boolean
  metadata: boolean
}

export const defaultReplicationRule: ReplicationRuleValues = {
  prefix: '',
  tags: '',
  deleteMarkers: true,
  deletes: true,
  metadata: true,
}

export const replicationRuleBody = ({ prefix, tags, deleteMarkers, deletes, metadata }: ReplicationRuleValues) => ({
  prefix,
  tags,
  // Servers reject a rule with both.
  replicateDeleteMarkers: deleteMarkers && tags === '',
  replicateDeletes: deletes,
  replicateMetadata: metadata,
})

export function ReplicationRuleFields<Values extends ReplicationRuleValues>({
  form,
}: {
  form: UseFormReturnType<Values>
}) {
  const t = useT()
  const hasTags = form.values.tags !== ''
  return (
    <>
      <TextField label={t('Prefix')} hint={t('Empty: all objects.')} {...form.getInputProps('prefix')} />
      <TagsField label={t('Tags')} {...form.getInputProps('tags')} />
      <SwitchField
        label={t('Delete Markers')}
        hint={t('An object that is deleted here is deleted there.')}
        reason={hasTags && t('A rule with tags cannot replicate delete markers')}
        {...form.getInputProps('deleteMarkers', { type: 'checkbox' })}
      />
      <SwitchField
        label={t('Deletes')}
        hint={t('A version that is deleted here is deleted there.')}
        {...form.getInputProps('deletes', { type: 'checkbox' })}
      />
      <SwitchField
        label={t('Metadata')}
        hint={t('Changes of tags and locks are sent, even for objects that were replicated to this bucket.')}
        {...form.getInputProps('metadata', { type: 'checkbox' })}
      />
    </>
  )
}
