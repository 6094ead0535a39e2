import { Button, Select } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { callLines } from '../../../lib/api/api.ts'
import { bucketsQuery } from '../../../lib/data/buckets.ts'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { requiredText } from '../../../lib/text/required-field.ts'
import { plainName } from '../../../lib/text/visible-name.ts'
import { transferJobs } from '../../../transfers/transfers.ts'
import { whileBusy } from '../../../ui/controls/while-busy.tsx'
import { FormModal, NO_FORM_CHANGE } from '../../../ui/dialog/FormModal.tsx'
import { SegmentField } from '../../../ui/form/SegmentField.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import type { FolderEntry } from '../entries/folder-entries.ts'
import { type CopyObjectsForm, copiesOntoItself, copyTargets, editableName } from './copy-targets.ts'
import { DryRunResult } from './DryRunResult.tsx'
import { useDryRun } from './use-dry-run.ts'

interface CopyObjectsModalProps {
  bucket: string
  /** The prefix of the open folder. */
  prefix: string
  entries: readonly FolderEntry[]
  onClose: () => void
  /** Called when the job has started. */
  onStarted?: (() => void) | undefined
}

/** The dialog to copy, move or rename a selection, as a job in the tray. "Check" shows in advance what the job will do. */
export function CopyObjectsModal({ bucket, prefix, entries, onClose, onStarted }: CopyObjectsModalProps) {
  const t = useT()
  const [only, ...others] = entries
  const single = others.length === 0 ? only : undefined
  const buckets = useQuery(bucketsQuery)
  const run = useDryRun()
  const form = useForm<CopyObjectsForm>({
    initialValues: {
      action: 'copy',
      bucket,
      folder: prefix,
      name: single ? editableName(single) : '',
      overwrite: false,
    },
    validate: {
      name: (name) => (single && name.trim() === '' ? requiredText(t) : null),
      folder: (_, values) =>
        values.bucket === bucket && copiesOntoItself(copyTargets(entries, values))
          ? t('Choose another place or another name: this is the source itself.')
          : null,
    },
    onValuesChange: run.clear,
  })
  const { values } = form
  const body = () => ({
    target_bucket: values.bucket,
    entries: copyTargets(entries, values),
    move: values.action === 'move',
    overwrite: values.overwrite,
  })
  const check = () => {
    if (form.validate().hasErrors) return
    const input = { params: { bucket }, body: { ...body(), dry_run: true } }
    void run.check((signal) => callLines('copyObjects', { ...input, signal }))
  }
  const names = buckets.data?.buckets.map(({ name }) => name) ?? []
  return (
    <FormModal
      title={t('Copy, move or rename')}
      subject={
        single ? plainName(single.name) : t(plural('{{count}} entry', '{{count}} entries'), { count: entries.length })
      }
      form={form}
      change={NO_FORM_CHANGE}
      submit={values.action === 'move' ? t('Move') : t('Copy')}
      extra={
        <Button onClick={check} {...whileBusy(run.checked !== undefined)}>
          {t('Check')}
        </Button>
      }
      onSubmit={() => {
        transferJobs.start(bucket, { type: 'copyObjects', body: body() })
        onStarted?.()
        onClose()
      }}
      onClose={onClose}
    >
      <SegmentField
        label={t('What to do')}
        data={[
          { value: 'copy', label: t('Copy') },
          { value: 'move', label: t('Move') },
        ]}
        {...form.getInputProps('action')}
      />
      <Select
        label={t('Target bucket')}
        searchable
        allowDeselect={false}
        data={names.includes(bucket) ? names : [bucket, ...names]}
        limit={200}
        {...form.getInputProps('bucket')}
      />
      <TextField
        label={t('Target folder')}
        hint={t('Use slashes for several levels. Leave it empty for the top of the bucket.')}
        classNames={{ input: 'mono' }}
        {...form.getInputProps('folder')}
      />
      {single && <TextField label={t('Name')} classNames={{ input: 'mono' }} {...form.getInputProps('name')} />}
      <SwitchField
        label={t('Replace objects that exist')}
        hint={t('Otherwise they are left as they are.')}
        {...form.getInputProps('overwrite', { type: 'checkbox' })}
      />
      {values.action === 'move' && (
        <p className="ink-2">
          {t(
            'A move deletes only the version that it copied, once the copy has the same content. Older versions and locked objects stay.',
          )}
        </p>
      )}
      <DryRunResult run={run} />
    </FormModal>
  )
}
