import { useForm } from '@mantine/form'
import type { Bucket } from '@stowage/contract'
import { useId } from 'react'
import { useApiMutation } from '../../../lib/api/query.ts'
import { toast } from '../../../lib/feedback/toast.ts'
import { msg, useT } from '../../../lib/text/i18n.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { useNeeds } from '../../../ui/Disabled.tsx'
import { FormModal } from '../../../ui/FormModal.tsx'
import { accesses, accessWord, actionFor } from '../bucket-facts.ts'
import css from '../buckets.module.css'

const hints = {
  PRIVATE: msg('Only users whose policy allows it can access the objects.'),
  PUBLIC: msg('Everyone who knows the address can list, read, write and delete objects, without signing in.'),
} as const
type Access = (typeof accesses)[number]

/** Opens a bucket to everyone, or closes it. */
export function AccessModal({ bucket, onClose }: { bucket: Bucket; onClose: () => void }) {
  const t = useT()
  const id = useId()
  const needs = useNeeds({ bucket: bucket.name })
  const initialValues: { access: Access } = { access: bucket.access === 'PUBLIC' ? 'PUBLIC' : 'PRIVATE' }
  const form = useForm({ initialValues })
  const { access } = form.values
  const save = useApiMutation('setBucketAccess', {
    invalidates: ['getBucket', 'listBuckets'],
    onSuccess: (_, { body }) => {
      toast.ok(t('{{name}}: access changed to {{access}}', { name: bucket.name, access: t(accessWord[body.access]) }))
      onClose()
    },
  })
  return (
    <FormModal
      title={t('Change Access Policy')}
      subject={bucket.name}
      form={form}
      mutation={save}
      onClose={onClose}
      ready={access !== bucket.access}
      onSubmit={(body) => save.mutate({ params: { bucket: bucket.name }, body })}
    >
      <fieldset className={css.choices}>
        <legend className="visually-hidden">{t('Access Policy')}</legend>
        {accesses.map((value) => {
          const missing = value !== bucket.access && needs(actionFor[value])
          return (
            <label key={value} className={css.choice} htmlFor={`${id}-${value}`}>
              <input
                id={`${id}-${value}`}
                type="radio"
                name="access"
                value={value}
                checked={access === value}
                disabled={Boolean(missing)}
                data-autofocus={access === value || undefined}
                onChange={() => form.setFieldValue('access', value)}
              />
              <span>
                <span className="strong">{t(accessWord[value])}</span>
                <span className="small ink-3" style={{ display: 'block' }}>
                  {t(hints[value])}
                </span>
                {missing && <span className="small ink-3">{missing}</span>}
              </span>
            </label>
          )
        })}
      </fieldset>
      {bucket.access === 'CUSTOM' && (
        <Banner kind="warn">{t('The bucket has its own policy. Saving replaces it.')}</Banner>
      )}
    </FormModal>
  )
}
