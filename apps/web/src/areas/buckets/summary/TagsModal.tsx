import { ActionIcon, Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useChange } from '../../../lib/changes/change.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { ConflictNotice, useEditBase } from '../../../ui/dialog/ConflictNotice.tsx'
import { FormModal } from '../../../ui/dialog/FormModal.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import css from '../styles/buckets.module.css'

interface TagsModalProps {
  bucket: string
  tags: Readonly<Record<string, string>>
  onClose: () => void
}

const empty = { key: '', value: '' }
/** The maximum for a bucket according to the S3 reference. */
const MAX_TAGS = 50

/** The dialog to edit the tags of a bucket. Rows without a key are ignored. */
export function TagsModal({ bucket, tags, onClose }: TagsModalProps) {
  const t = useT()
  const stored = Object.entries(tags).map(([key, value]) => ({ key, value }))
  const form = useForm({ initialValues: { rows: stored.length > 0 ? stored : [empty] } })
  const { rows } = form.values
  const save = useChange('setBucketTags', {
    onDone: onClose,
    message: () => t('Tags of {{bucket}} updated', { bucket }),
  })
  const { before, changedTo } = useEditBase(tags, save, 'getBucketTags')
  const named = rows.map(({ key, value }) => ({ key: key.trim(), value: value.trim() })).filter(({ key }) => key !== '')
  const isTwice = (key: string) => key.trim() !== '' && named.filter((row) => row.key === key.trim()).length > 1
  return (
    <FormModal
      title={t('Bucket Tags')}
      subject={bucket}
      form={form}
      change={save}
      onClose={onClose}
      ready={!rows.some(({ key }) => isTwice(key))}
      onSubmit={() =>
        save.run({
          params: { bucket },
          body: { tags: Object.fromEntries(named.map(({ key, value }) => [key, value])), before: { ...before } },
        })
      }
    >
      {changedTo && <ConflictNotice text={tagsText(changedTo)} />}
      <div className={css.tagRows}>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and no state
          <div key={index} className={css.tagRow}>
            <TextField
              label={t('Key')}
              maxLength={128}
              {...form.getInputProps(`rows.${index}.key`)}
              error={isTwice(row.key) && t('This key is already used')}
            />
            <TextField label={t('Value')} maxLength={256} {...form.getInputProps(`rows.${index}.value`)} />
            <ActionIcon aria-label={t('Remove Tag')} onClick={() => form.removeListItem('rows', index)}>
              <Icon of={IconTrash} />
            </ActionIcon>
          </div>
        ))}
        <div>
          <Button
            size="xs"
            leftSection={<Icon of={IconPlus} />}
            disabled={rows.length >= MAX_TAGS || rows.at(-1)?.key.trim() === ''}
            onClick={() => form.insertListItem('rows', empty)}
          >
            {t('Add Tag')}
          </Button>
        </div>
      </div>
    </FormModal>
  )
}

const tagsText = (tags: Readonly<Record<string, string>>) =>
  Object.entries(tags)
    .map(([key, value]) => `${key} = ${value}`)
    .join('\n')
