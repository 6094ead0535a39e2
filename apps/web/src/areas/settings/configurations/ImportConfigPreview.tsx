import { Button } from '@mantine/core'
import type { Output } from '@stowage/contract'
import type { ImportChange, ImportProblem } from '@stowage/contract/configs/configs'
import type { ReactNode } from 'react'
import type { ApiFailure } from '../../../lib/api/api.ts'
import { reasonText } from '../../../lib/api/api-failure.ts'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { Disabled, isReason, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { whileBusy } from '../../../ui/controls/while-busy.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { ChangedValue } from '../form/SettingForm.tsx'
import css from '../settings.module.css'

interface ImportConfigPreviewProps {
  preview: Output<'previewConfigImport'>
  /** Whether to remove targets that are not in the file. */
  remove: boolean
  onRemove: (remove: boolean) => void
  /** The error of the last import. */
  failure: ApiFailure | null
  isPending: boolean
  /** Loads the preview again. */
  onCompare: () => void
  onImport: () => void
  cancel: ReactNode
}

const targetName = ({ name, target }: { name: string; target: string }) => (target === '_' ? name : `${name}:${target}`)

/** Shows what an import would change and what prevents it, with the button to import. */
export function ImportConfigPreview(props: ImportConfigPreviewProps) {
  const t = useT()
  const needs = useDisabledReason()
  const { preview, remove, failure, isPending } = props
  const removals = preview.changes.filter(({ action }) => action === 'remove')
  const changes = preview.changes.filter(({ action }) => action !== 'remove' || remove)
  const problem =
    preview.problems.length > 0 ? t('Correct the file first') : changes.length === 0 && t('There is nothing to change')
  const missing = needs('admin:ConfigUpdate')
  const reason = isReason(missing) ? missing : problem
  return (
    <div className={css.fields}>
      {preview.problems.length > 0 && <Problems problems={preview.problems} />}
      {removals.length > 0 && (
        <SwitchField
          label={t('Remove targets that the file does not name')}
          hint={removals.map(targetName).join(', ')}
          checked={remove}
          onChange={(event) => props.onRemove(event.currentTarget.checked)}
        />
      )}
      <h3>{t(plural('{{count}} change', '{{count}} changes'), { count: changes.length })}</h3>
      {changes.length === 0 && <p className="ink-2">{t('The server has these settings already.')}</p>}
      {changes.map((change) => (
        <ChangedTarget key={targetName(change)} change={change} />
      ))}
      {failure && (
        <Banner
          kind="bad"
          title={failure.errorMessage}
          {...(failure.status === 409 && {
            action: (
              <Button size="xs" onClick={props.onCompare}>
                {t('Compare again')}
              </Button>
            ),
          })}
        >
          {failure.detailedError}
        </Banner>
      )}
      <div className={css.foot}>
        {props.cancel}
        <Disabled reason={reason}>
          <Button variant="filled" onClick={props.onImport} {...whileBusy(isPending)}>
            {t('Import')}
          </Button>
        </Disabled>
      </div>
    </div>
  )
}

function Problems({ problems }: { problems: readonly ImportProblem[] }) {
  const t = useT()
  return (
    <Banner kind="bad" title={t('The file cannot be imported as it is')}>
      <ul className={css.problems}>
        {problems.map((problem) => {
          const { key, message, reason } = problem
          const place = [targetName(problem), key ?? ''].join(' ').trim()
          return (
            <li key={`${place} ${message}`}>
              {place !== '' && <code>{place} </code>}
              {(reason && reasonText(reason)) ?? message}
            </li>
          )
        })}
      </ul>
    </Banner>
  )
}

function ChangedTarget({ change }: { change: ImportChange }) {
  const t = useT()
  const words = { add: t('Added'), change: t('Changed'), remove: t('Removed') }
  const isAdded = change.action === 'add'
  return (
    <section aria-label={targetName(change)}>
      <div className={css.changedTarget}>
        <code>{targetName(change)}</code>
        <span className="ink-2">{words[change.action]}</span>
      </div>
      <div className={css.changes}>
        {change.key_values.map(({ key, before, after, secret = false }) => (
          <ChangedValue
            key={key}
            name={key}
            // A secret value has no text; of a value that contains a password, the other parts are shown.
            before={secret && before === '' && !isAdded ? t('secret') : before}
            now={secret && after === '' && change.action !== 'remove' ? t('new secret') : after}
          />
        ))}
      </div>
    </section>
  )
}
