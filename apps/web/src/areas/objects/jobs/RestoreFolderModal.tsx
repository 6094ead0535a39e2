import { useForm } from '@mantine/form'
import { useEffect } from 'react'
import { callLines } from '../../../lib/api/api.ts'
import { replaceSearch } from '../../../lib/navigation/navigate.ts'
import { formatDateTime } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { transferJobs } from '../../../transfers/transfers.ts'
import { FormModal, NO_FORM_CHANGE } from '../../../ui/dialog/FormModal.tsx'
import { ObjectName } from '../../../ui/values/ObjectName.tsx'
import { DryRunResult } from './DryRunResult.tsx'
import { useDryRun } from './use-dry-run.ts'

interface RestoreFolderModalProps {
  bucket: string
  /** The folder; empty for the whole bucket. */
  prefix: string
  /** RFC 3339. */
  at: string
  onClose: () => void
}

/**
 * The dialog that restores a folder to a past time, after showing what would change. All versions are kept, so that the
 * restore can be undone.
 */
export function RestoreFolderModal({ bucket, prefix, at, onClose }: RestoreFolderModalProps) {
  const t = useT()
  const form = useForm({ initialValues: {} })
  const run = useDryRun()
  const { check } = run
  const body = { prefix, date: at }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the dialog is opened
  useEffect(() => {
    void check((signal) => callLines('restoreFolder', { params: { bucket }, body: { ...body, dry_run: true }, signal }))
  }, [])
  return (
    <FormModal
      title={t('Restore this folder')}
      form={form}
      change={NO_FORM_CHANGE}
      submit={t('Restore')}
      ready={run.report !== undefined && run.report.count > 0}
      onSubmit={() => {
        transferJobs.start(bucket, { type: 'restoreFolder', body })
        onClose()
        replaceSearch({ at: undefined })
      }}
      onClose={onClose}
    >
      <div>
        <Trans
          text="<folder/> and its subfolders are restored to {{date}}. Objects that did not exist then are hidden by a delete marker. No version is deleted."
          values={{ date: formatDateTime(at) }}
          parts={{
            folder: (
              <code>
                <ObjectName name={`${bucket}/${prefix}`} />
              </code>
            ),
          }}
        />
      </div>
      <DryRunResult run={run} />
    </FormModal>
  )
}
