import { Button } from '@mantine/core'
import { type FormErrors, useForm } from '@mantine/form'
import type { Output } from '@stowage/contract'
import type { ConfigTarget } from '@stowage/contract/configs/configs'
import { type ReactNode, useState } from 'react'
import type { ApiFailure } from '../../../lib/api/api.ts'
import { useFreshRead } from '../../../lib/api/fresh-read.ts'
import { useChange } from '../../../lib/changes/change.ts'
import { hasPendingChange, recordPendingChange, recordSaved } from '../../../lib/changes/server-restart.ts'
import { toast } from '../../../lib/feedback/toast.ts'
import type { PageTarget } from '../../../lib/navigation/pages.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { requiredText } from '../../../lib/text/required-field.ts'
import { Disabled, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { Link } from '../../../ui/controls/Link.tsx'
import { whileBusy } from '../../../ui/controls/while-busy.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { QueryView } from '../../../ui/feedback/QueryView.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import css from '../settings.module.css'
import { SettingInput, type SettingValues } from './SettingInput.tsx'
import {
  changedSettingValues,
  initialSettingValues,
  isSwitchOn,
  type SettingField,
  settingFields,
} from './setting-fields.ts'
import { askResetTarget, targetParam } from './target-actions.ts'

interface SettingFormProps {
  /** The name of the subsystem. */
  name: string
  /** The target to edit; undefined for a new one, whose identifier is then requested. */
  target: string | undefined
  title: string
  back: { label: string; to: PageTarget }
  onSaved: () => void
  /** Shown below the title. */
  about?: ReactNode
  /** Returns the address of the form of another target, or of a new one. If set, the form has links to the other targets. */
  targetFormPath?: (target: string | undefined) => PageTarget
}

/** The form of a subsystem, or of one of its targets. */
export function SettingForm(props: SettingFormProps) {
  const query = useFreshRead('getConfig', { params: { name: props.name } })
  return (
    <div className={css.panel}>
      <Link to={props.back.to} className="link">
        {props.back.label}
      </Link>
      <h2>{props.title}</h2>
      {props.about}
      <QueryView query={query} needs={{ action: 'admin:ConfigUpdate' }}>
        {(config) => (
          <>
            {props.targetFormPath && config.multipleTargets && (
              <TargetLinks targets={config.targets} shown={props.target} targetFormPath={props.targetFormPath} />
            )}
            <SettingFields {...props} config={config} />
          </>
        )}
      </QueryView>
    </div>
  )
}

/** Links to the targets of a subsystem that can have several, such as the providers of `identity_openid`. */
function TargetLinks(props: {
  targets: readonly ConfigTarget[]
  shown: string | undefined
  targetFormPath: (target: string | undefined) => PageTarget
}) {
  const t = useT()
  const names = ['_', ...props.targets.map(({ target }) => target).filter((target) => target !== '_')]
  return (
    <nav aria-label={t('Targets')} className={css.targets}>
      {names.map((target) => (
        <Link
          key={target}
          to={props.targetFormPath(target)}
          className={css.target}
          {...(target === props.shown && { 'aria-current': 'page' })}
        >
          {target === '_' ? t('Default') : target}
        </Link>
      ))}
      <Link
        to={props.targetFormPath(undefined)}
        className={css.target}
        {...(props.shown === undefined && { 'aria-current': 'page' })}
      >
        {t('Add Target')}
      </Link>
    </nav>
  )
}

const IDENTIFIER = 'identifier'

function SettingFields({ name, target, config, back, onSaved }: SettingFormProps & { config: Output<'getConfig'> }) {
  const t = useT()
  const needs = useDisabledReason()
  const isNew = target === undefined
  const isNotification = name.startsWith('notify_')
  const current = config.targets.find((each) => each.target === target)
  const values = current?.key_values ?? config.key_values
  // The form keeps the values that it was opened with; a later change by another user is shown beside it.
  const [fields] = useState(() =>
    // If the server does not have the setting, the form can be filled in but not saved.
    settingFields(name, config.supported ? values : [], isNew),
  )
  const [base, setBase] = useState(current)
  const id = `${name}:${target}`
  const [outdated] = useState(() => current !== undefined && hasPendingChange(id, current.version))
  const form = useForm<SettingValues>({
    // A form that cannot be saved is validated while the user fills it in.
    validateInputOnBlur: !config.supported,
    initialValues: { ...initialSettingValues(fields), [IDENTIFIER]: '' },
    validate: (entered) =>
      Object.fromEntries([
        ...(isNew ? [[IDENTIFIER, identifierProblem(entered[IDENTIFIER] ?? '')]] : []),
        ...fields.map((field) => {
          const isEmpty = (entered[field.key] ?? '').trim() === ''
          const isLocked = field.unsupported || field.variable !== undefined
          const isMissing = field.required && isEmpty && !field.isSecretSet && !isLocked && !isUnseen(field)
          return [field.key, isMissing ? requiredText(t) : null]
        }),
      ]),
  })
  const save = useChange('setConfig', {
    onDone: (answer, { body: { key_values: sent } }) => {
      const isChange = sent.some(({ key, value }) => value !== fields.find((field) => field.key === key)?.stored)
      leave(answer, isChange)
    },
    message: (answer) => recordSaved(answer),
  })
  const submit = form.onSubmit((entered) => {
    if (save.isPending) return
    // The fields that were not changed here would undo the changes that wait for the restart.
    const values = changedSettingValues(fields, entered, outdated)
    if (outdated && values.length === 0) return onSaved()
    save.run({
      params: { name },
      body: {
        key_values: values,
        ...targetParam(target ?? (entered[IDENTIFIER] ?? '').trim()),
        ...(base ? { version: base.version } : {}),
        ...(isNew ? { create_only: true } : {}),
      },
    })
  }, focusFirst)
  useFailure(save.error)
  const own = fields.filter(({ isExtra }) => !isExtra)
  const extras = fields.filter(({ isExtra }) => isExtra)
  const reason = config.supported ? needs('admin:ConfigUpdate') : t('This server does not have this setting')

  return (
    <form onSubmit={submit} noValidate>
      {!config.supported && (
        <Banner kind="info">{t('This server does not have this setting. The form shows what others have.')}</Banner>
      )}
      {current?.notes.map((note) => (
        <Banner key={note} kind="warn">
          {note}
        </Banner>
      ))}
      {outdated && (
        <Banner kind="warn" title={t('Saved changes of these settings wait for a restart of the server')}>
          {t('Until then, the form shows the values from before. Save changes only the fields that you edit here.')}
        </Banner>
      )}
      {base && current && base.version !== current.version && (
        <ChangedMeanwhile before={base} now={current} onKeep={() => setBase(current)} />
      )}
      <div className={css.fields}>
        {isNew && (
          <TextField
            label={t('Identifier')}
            hint={
              isNotification
                ? t('Names the target in the rules of buckets. Letters, digits, "-" and "_".')
                : t('Letters, digits, "-" and "_".')
            }
            data-autofocus
            {...form.getInputProps(IDENTIFIER)}
          />
        )}
        {own.map((field) => (
          <SettingInput key={field.key} subsystem={name} field={field} form={form} />
        ))}
        {isSwitchOn(form.values.server_insecure ?? '') && (
          <Banner kind="warn">{t('Warning: All traffic with Active Directory will be unencrypted')}</Banner>
        )}
        {extras.length > 0 && own.length > 0 && <h3>{t('More keys of this server')}</h3>}
        {extras.map((field) => (
          <SettingInput key={field.key} subsystem={name} field={field} form={form} />
        ))}
      </div>
      <div className={css.foot}>
        {!isNew && !isNotification && config.supported && (
          <>
            <Disabled reason={reason}>
              <Button variant="danger" onClick={() => askResetTarget({ name, target }, leave)}>
                {target === '_' ? t('Reset') : t('Delete Target')}
              </Button>
            </Disabled>
            <div className="grow" />
          </>
        )}
        <Button component={Link} to={back.to}>
          {t('Cancel')}
        </Button>
        <Disabled reason={reason}>
          <Button type="submit" variant="filled" {...whileBusy(save.isPending)}>
            {t('Save')}
          </Button>
        </Disabled>
      </div>
    </form>
  )

  function leave({ restart }: { restart: boolean }, isChange = true): void {
    if (restart && base && isChange) recordPendingChange(id, base.version)
    onSaved()
  }

  /** Whether a change that waits for the restart may have filled this field, which the form shows empty. */
  function isUnseen({ stored }: SettingField): boolean {
    return outdated && stored === ''
  }

  /** A long form would otherwise show no error where the user is: at its end. */
  function focusFirst(errors: FormErrors): void {
    const first = [IDENTIFIER, ...fields.map(({ key }) => key)].find((key) => errors[key] !== undefined)
    const node = first === undefined ? null : form.getInputNode(first)
    const input = node?.matches('input') ? node : node?.querySelector('input')
    input?.focus()
  }

  function identifierProblem(text: string): string | null {
    const wanted = text.trim()
    if (wanted === '') return requiredText(t)
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(wanted)) return t('Use letters, digits, "-" and "_"')
    const isTaken = config.targets.some((each) => each.target === wanted)
    return isTaken ? t('There is a target with this identifier already') : null
  }

  function useFailure(error: ApiFailure | null) {
    const [shown, setShown] = useState<ApiFailure | null>(null)
    if (error === shown) return
    setShown(error)
    if (!error) return
    if (error.field !== undefined) form.setFieldError(error.field, error.fieldMessage)
    toast.failure(error)
  }
}

/** Shows both versions of a setting that another user has changed since the form was opened. */
function ChangedMeanwhile({ before, now, onKeep }: { before: ConfigTarget; now: ConfigTarget; onKeep: () => void }) {
  const t = useT()
  const then = new Map(before.key_values.map(({ key, value }) => [key, value]))
  const changed = now.key_values.filter(({ key, value }) => then.get(key) !== value)
  return (
    <Banner
      kind="warn"
      title={t('Somebody has changed these settings since you opened them')}
      action={
        <Button size="xs" onClick={onKeep}>
          {t('Save mine over them')}
        </Button>
      }
    >
      <div className={css.changes}>
        {changed.map(({ key, value = '' }) => (
          <ChangedValue key={key} name={key} before={then.get(key) ?? ''} now={value} />
        ))}
      </div>
    </Banner>
  )
}

export function ChangedValue({ name, before, now }: { name: string; before: string; now: string }) {
  return (
    <>
      <code>{name}</code>
      <code>
        {before || '–'} → {now || '–'}
      </code>
    </>
  )
}
