import { ActionIcon, Button } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { callLines } from '../../../lib/api/api.ts'
import { bucketsQuery } from '../../../lib/data/buckets.ts'
import { usePermissions } from '../../../lib/data/permissions.ts'
import { utcDayField } from '../../../lib/text/date-fields.ts'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { requiredText } from '../../../lib/text/required-field.ts'
import { plainName } from '../../../lib/text/visible-name.ts'
import { transferJobs } from '../../../transfers/transfers.ts'
import { whileBusy } from '../../../ui/controls/while-busy.tsx'
import { FormModal, NO_FORM_CHANGE } from '../../../ui/dialog/FormModal.tsx'
import { SegmentField } from '../../../ui/form/SegmentField.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import type { FolderEntry } from '../entries/folder-entries.ts'
import css from '../styles/object-detail.module.css'
import { DryRunResult } from './DryRunResult.tsx'
import { NO_OBJECT_CHANGE, type ObjectChangeForm, objectChanges } from './object-change-form.ts'
import { useDryRun } from './use-dry-run.ts'

interface ChangeObjectsModalProps {
  bucket: string
  /** The folder that is shown. */
  prefix: string
  entries: readonly FolderEntry[]
  onClose: () => void
  /** Runs once the job has begun. */
  onStarted: () => void
}

const setsRetention = ({ retention }: ObjectChangeForm) => retention === 'governance' || retention === 'compliance'

/**
 * The dialog to change metadata, tags and locks of the selected objects, as a job in the tray. Empty fields are not changed.
 */
export function ChangeObjectsModal({ bucket, prefix, entries, onClose, onStarted }: ChangeObjectsModalProps) {
  const t = useT()
  const may = usePermissions({ bucket, prefix })
  const { data } = useQuery(bucketsQuery)
  const locking = data?.buckets.find(({ name }) => name === bucket)?.details?.locking === true
  const run = useDryRun()
  const form = useForm<ObjectChangeForm>({
    initialValues: NO_OBJECT_CHANGE,
    validate: { date: (date, values) => (setsRetention(values) && date === '' ? requiredText(t) : null) },
    onValuesChange: run.clear,
  })
  const { values } = form
  const changes = objectChanges(values)
  const paths = entries.map(({ key }) => key)
  const check = () => {
    if (!changes || form.validate().hasErrors) return
    const input = { params: { bucket }, body: { paths, changes, dry_run: true } }
    void run.check((signal) => callLines('changeObjects', { ...input, signal }))
  }
  const [only, ...others] = entries
  return (
    <FormModal
      title={t('Change Objects')}
      subject={
        only && others.length === 0
          ? plainName(only.name)
          : t(plural('{{count}} entry', '{{count}} entries'), { count: entries.length })
      }
      form={form}
      change={NO_FORM_CHANGE}
      submit={t('Change')}
      ready={changes !== undefined}
      extra={
        <Button onClick={check} disabled={!changes} {...whileBusy(run.checked !== undefined)}>
          {t('Check')}
        </Button>
      }
      onSubmit={() => {
        if (!changes) return
        transferJobs.start(bucket, { type: 'changeObjects', body: { paths, changes } })
        onStarted()
        onClose()
      }}
      onClose={onClose}
    >
      <TextField
        label={t('Content type')}
        hint={t('Leave it empty to keep the content type of each object.')}
        data-autofocus
        {...form.getInputProps('content_type')}
      />
      <NameValueRows form={form} list="fields" name={t('Metadata')} add={t('Add Metadata')} first="x-amz-meta-" />
      <NameValueRows form={form} list="tags" name={t('Tag')} add={t('Add Tag')} first="" />
      {locking && (
        <>
          <SegmentField
            label={t('Legal Hold')}
            data={[
              { value: '' as const, label: t('Keep') },
              { value: 'enabled' as const, label: t('On') },
              { value: 'disabled' as const, label: t('Off') },
            ]}
            disabled={may('s3:PutObjectLegalHold') === false}
            {...form.getInputProps('legal_hold')}
          />
          <SegmentField
            label={t('Retention')}
            data={[
              { value: '' as const, label: t('Keep') },
              { value: 'governance' as const, label: t('Governance') },
              { value: 'compliance' as const, label: t('Compliance') },
              { value: 'remove' as const, label: t('Remove') },
            ]}
            disabled={may('s3:PutObjectRetention') === false}
            hint={
              values.retention === 'compliance' &&
              t('Nobody can delete the version or shorten its retention before the date, not even the root user.')
            }
            {...form.getInputProps('retention')}
          />
          {setsRetention(values) && (
            <>
              <TextField
                label={t('Date')}
                type="date"
                min={utcDayField(new Date(Date.now() + 86_400_000))}
                hint={t('The version is protected until the end of this day (UTC).')}
                {...form.getInputProps('date')}
              />
              <SwitchField
                label={t('Bypass governance retention')}
                hint={t('Also shortens governance retention.')}
                reason={may('s3:BypassGovernanceRetention') === false && t('Needs s3:BypassGovernanceRetention')}
                {...form.getInputProps('governance_bypass', { type: 'checkbox' })}
              />
            </>
          )}
        </>
      )}
      <p className={css.hint}>
        {t(
          'Metadata or a tag without a value is removed. In a bucket with versions, a change of the content type or metadata makes a new version, which keeps the lock.',
        )}
      </p>
      <DryRunResult run={run} />
    </FormModal>
  )
}

interface NameValueRowsProps {
  form: Pick<UseFormReturnType<ObjectChangeForm>, 'values' | 'getInputProps' | 'insertListItem' | 'removeListItem'>
  list: 'fields' | 'tags'
  name: string
  /** The button that adds a row. */
  add: string
  /** The initial text of a new name. */
  first: string
}

/** Rows of names and values. */
function NameValueRows({ form, list, name, add, first }: NameValueRowsProps) {
  const t = useT()
  return (
    <>
      {form.values[list].map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the form names its fields by their place
        <div key={index} className={css.pair}>
          <TextField
            label={t('{{what}}: name {{number}}', { what: name, number: index + 1 })}
            {...form.getInputProps(`${list}.${index}.name`)}
          />
          <TextField
            label={t('{{what}}: value {{number}}', { what: name, number: index + 1 })}
            {...form.getInputProps(`${list}.${index}.value`)}
          />
          <ActionIcon
            aria-label={t('{{what}}: remove row {{number}}', { what: name, number: index + 1 })}
            onClick={() => form.removeListItem(list, index)}
          >
            <Icon of={IconX} />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button size="xs" onClick={() => form.insertListItem(list, { name: first, value: '' })}>
          {add}
        </Button>
      </div>
    </>
  )
}
