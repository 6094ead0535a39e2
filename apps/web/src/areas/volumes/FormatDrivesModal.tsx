import { useForm } from '@mantine/form'
import type { DirectDrive, FormatIssue } from '@stowage/contract'
import { useChange } from '../../lib/changes/change.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Trans } from '../../lib/text/Trans.tsx'
import { FormModal } from '../../ui/dialog/FormModal.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { ErrorBanner } from '../../ui/feedback/ErrorBanner.tsx'
import { SwitchField } from '../../ui/form/SwitchField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import css from './volumes.module.css'

/** The text that the user must type before drives are erased. */
const CONFIRMATION = 'YES, PROCEED'

interface FormatDrivesModalProps {
  drives: readonly DirectDrive[]
  /** Whether these are all drives of the cluster. */
  all: boolean
  onClose: () => void
  onDone: (issues: FormatIssue[]) => void
}

/** The dialog to format drives, after the user typed a confirmation. */
export function FormatDrivesModal({ drives, all, onClose, onDone }: FormatDrivesModalProps) {
  const t = useT()
  const form = useForm({ initialValues: { force: false, confirmation: '' } })
  const format = useChange('formatDrives', { onDone: ({ formatIssuesList }) => onDone(formatIssuesList) })
  const names = drives.map(({ node, drive }) => `${node}:${drive}`)
  return (
    <FormModal
      title={all ? t('Format All Drives') : t('Format Drives')}
      form={form}
      // The banner shows the error.
      change={{ ...format, error: null }}
      onClose={onClose}
      submit={t('Format Drive(s)')}
      ready={form.values.confirmation === CONFIRMATION}
      onSubmit={({ force }) => format.run({ body: { drives: names, force } })}
    >
      <ul className={css.drives} aria-label={t('Drives')}>
        {names.map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
      <SwitchField label={t('Force Format')} {...form.getInputProps('force', { type: 'checkbox' })} />
      <Banner kind="warn">{t('All information will be erased and cannot be recovered.')}</Banner>
      <TextField
        label={t('Confirmation')}
        hint={
          // A single element, because the hint is a grid.
          <span>
            <Trans text="Type <text/> to continue" parts={{ text: <code>{CONFIRMATION}</code> }} />
          </span>
        }
        data-autofocus
        {...form.getInputProps('confirmation')}
      />
      {format.error && <ErrorBanner error={format.error} />}
    </FormModal>
  )
}
