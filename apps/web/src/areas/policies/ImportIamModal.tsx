import { FileInput, PasswordInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Output } from '@stowage/contract'
import { useState } from 'react'
import { fileToBase64 } from '../../lib/base64.ts'
import { useChange } from '../../lib/changes/change.ts'
import { msg, plural, useT } from '../../lib/text/i18n.ts'
import { FormModal } from '../../ui/dialog/FormModal.tsx'
import { StatusIcon, type StatusIconState } from '../../ui/icons/StatusIcon.tsx'
import css from './policies.module.css'

type Row = Output<'previewIamImport'>['changes'][number]
type Failure = Output<'importIam'>['failed'][number]

/** The dialog to import users, groups, policies and service accounts from a file. Shows the changes before it applies them. */
export function ImportIamModal({ onClose }: { onClose: () => void }) {
  const t = useT()
  const form = useForm({ initialValues: { value: '', passphrase: '' } })
  const [rows, setRows] = useState<Row[]>()
  const [failed, setFailed] = useState<Failure[]>([])
  const preview = useChange('previewIamImport', { onDone: ({ changes }) => setRows(changes) })
  const run = useChange('importIam', {
    onDone: (answer) => (answer.failed.length === 0 ? onClose() : setFailed(answer.failed)),
    message: ({ imported }) => t(plural('{{count}} entry imported', '{{count}} entries imported'), { count: imported }),
  })
  const read = (file: File | null) => {
    setRows(undefined)
    setFailed([])
    preview.reset()
    run.reset()
    if (file) void fileToBase64(file).then((value) => form.setFieldValue('value', value))
    else form.setFieldValue('value', '')
  }
  const changing = rows?.filter(({ state }) => state === 'new' || state === 'replaced') ?? []
  return (
    <FormModal
      wide
      title={t('Import Users and Policies')}
      submit={rows === undefined ? t('Show Changes') : t('Import')}
      form={form}
      change={rows === undefined ? preview : run}
      onClose={onClose}
      ready={form.values.value !== '' && failed.length === 0 && (rows === undefined || changing.length > 0)}
      onSubmit={({ value, passphrase }) => {
        const body = { value, ...(passphrase === '' ? {} : { passphrase }) }
        if (rows === undefined) preview.run({ body })
        else run.run({ body })
      }}
    >
      <FileInput
        label={t('File')}
        description={t('An export of this console, or of a MinIO server.')}
        placeholder={t('Choose a .zip or .sealed file')}
        accept=".zip,.sealed"
        clearable
        error={form.errors.value}
        onChange={read}
      />
      <PasswordInput
        label={t('Passphrase')}
        description={t('For a sealed file only.')}
        autoComplete="off"
        {...form.getInputProps('passphrase')}
      />
      {rows && failed.length === 0 && <ImportChanges rows={rows} />}
      {failed.length > 0 && (
        <div role="alert">
          <p>{t('The storage server did not import these:')}</p>
          <ul className={css.changes}>
            {failed.map(({ name, error }) => (
              <li key={`${name} ${error}`}>
                <span className="mono">{name}</span> <span className="ink-2">{error}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </FormModal>
  )
}

const KINDS = {
  policy: msg('Policy'),
  user: msg('User'),
  group: msg('Group'),
  'service-account': msg('Service Account'),
  'user-policies': msg('Policies of a user'),
  'group-policies': msg('Policies of a group'),
  'directory-policies': msg('Policies of a directory user'),
} satisfies Record<Row['kind'], unknown>

const STATES = {
  new: { label: msg('New'), mark: 'ok' },
  replaced: { label: msg('Replaced'), mark: 'warn' },
  same: { label: msg('Unchanged'), mark: 'off' },
  refused: { label: msg('Not imported'), mark: 'bad' },
} satisfies Record<Row['state'], { label: unknown; mark: StatusIconState }>

/** Lists dangerous changes and skipped entries first. Unchanged entries are only counted. */
function ImportChanges({ rows }: { rows: Row[] }) {
  const t = useT()
  const shown = rows
    .filter(({ state }) => state !== 'same')
    .toSorted((a, b) => Number(b.administrator) - Number(a.administrator) || stateRank(b) - stateRank(a))
  const same = rows.length - shown.length
  return (
    <div>
      <p className={css.changesTitle}>{shown.length === 0 ? t('Nothing would change.') : t('This would change:')}</p>
      <ul className={css.changes} aria-label={t('Changes')}>
        {shown.map((row) => (
          <li key={`${row.kind} ${row.name}`}>
            <StatusIcon state={STATES[row.state].mark}>{t(STATES[row.state].label)}</StatusIcon>
            <span>
              {t(KINDS[row.kind])} <span className="mono">{row.name}</span>
              {row.note !== undefined && <span className={css.note}>{row.note}</span>}
              {row.administrator && (
                <span className={css.administrator}>
                  <StatusIcon state="warn">{t('Becomes an administrator')}</StatusIcon>
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      {same > 0 && (
        <p className="ink-2">
          {t(plural('{{count}} entry is unchanged', '{{count}} entries are unchanged'), { count: same })}
        </p>
      )}
    </div>
  )
}

const stateRank = ({ state }: Row) => ['same', 'new', 'replaced', 'refused'].indexOf(state)
