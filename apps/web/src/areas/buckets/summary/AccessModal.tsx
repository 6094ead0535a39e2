import { useForm } from '@mantine/form'
import type { Bucket } from '@stowage/contract'
import { useChange } from '../../../lib/changes/change.ts'
import { msg, useT } from '../../../lib/text/i18n.ts'
import { useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { ConflictNotice, useEditBase } from '../../../ui/dialog/ConflictNotice.tsx'
import { FormModal } from '../../../ui/dialog/FormModal.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { ChoiceField } from '../../../ui/form/ChoiceField.tsx'
import {
  bucketAccessChoices,
  bucketAccessLabels,
  bucketAccessMeaning,
  bucketAccessText,
  setAccessActions,
} from '../bucket/bucket-facts.ts'

const hints = {
  PRIVATE: msg('Only users whose policy allows it can access the objects.'),
  PUBLIC_READ: msg('Everyone who knows the address can list and read objects, without signing in.'),
  PUBLIC: msg('Everyone who knows the address can list, read, write and delete objects, without signing in.'),
} as const
type Access = (typeof bucketAccessChoices)[number]

/** The dialog to make a bucket public or private. */
export function AccessModal({ bucket, onClose }: { bucket: Bucket; onClose: () => void }) {
  const t = useT()
  const needs = useDisabledReason({ bucket: bucket.name })
  const initialValues: { access: Access } = { access: bucket.access === 'PUBLIC' ? 'PUBLIC' : 'PRIVATE' }
  const form = useForm({ initialValues })
  const { access } = form.values
  const save = useChange('setBucketAccess', {
    onDone: onClose,
    message: (_, { body }) =>
      t('{{name}}: access changed to {{access}}', { name: bucket.name, access: t(bucketAccessLabels[body.access]) }),
  })
  const { before, changedTo } = useEditBase(bucket, save, 'getBucket')
  const { anonymous } = before
  return (
    <FormModal
      title={t('Change Access Policy')}
      subject={bucket.name}
      form={form}
      change={save}
      onClose={onClose}
      ready={access !== bucket.access}
      onSubmit={(body) =>
        save.run({
          params: { bucket: bucket.name },
          body: before.access && anonymous ? { ...body, before: { access: before.access, anonymous } } : body,
        })
      }
    >
      {changedTo && <ConflictNotice text={`${t(bucketAccessText(changedTo))}\n${t(bucketAccessMeaning(changedTo))}`} />}
      <ChoiceField
        label={t('Access Policy')}
        choices={bucketAccessChoices.map((value) => ({
          value,
          label: t(bucketAccessLabels[value]),
          hint: t(hints[value]),
          reason: value !== bucket.access && needs(setAccessActions[value]),
        }))}
        {...form.getInputProps('access')}
      />
      {bucket.access === 'CUSTOM' && (
        <Banner kind="warn">{t('The bucket policy has other statements or access rules. They stay in effect.')}</Banner>
      )}
    </FormModal>
  )
}
