import { ActionIcon, TagsInput, TextInput } from '@mantine/core'
import type { Dialect, PolicyProblem, Statement } from '@stowage/iam-policy'
import { IconTrash } from '@tabler/icons-react'
import { cx } from '../../../lib/cx.ts'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { SegmentField } from '../../../ui/form/SegmentField.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { ActionsField } from './ActionsField.tsx'
import { StatementConditions } from './StatementConditions.tsx'
import css from './workbench.module.css'

interface StatementCardProps {
  index: number
  statement: Statement
  dialect: Dialect
  /** The lint problems of this statement. */
  problems: readonly PolicyProblem[]
  open: boolean
  disabled: boolean
  onOpen: () => void
  onChange: (statement: Statement) => void
  onRemove: () => void
}

/** A statement: a summary line and, if it is open, its fields. */
export function StatementCard(props: StatementCardProps) {
  const { index, statement, problems, open, disabled, onOpen, onRemove } = props
  const t = useT()
  const name = statement.Sid || t('Statement {{n}}', { n: index + 1 })
  return (
    <section className={cx(css.statement, open && css.open)} aria-label={name}>
      <div className={css.head}>
        <button type="button" className={css.opener} aria-expanded={open} onClick={onOpen}>
          <EffectIcon effect={statement.Effect} problems={problems} />
          <b>{name}</b>
        </button>
        <ActionIcon aria-label={t('Remove {{name}}', { name })} disabled={disabled} onClick={onRemove}>
          <Icon of={IconTrash} />
        </ActionIcon>
      </div>
      {open ? <StatementFields {...props} /> : <StatementSummary statement={statement} />}
      {problems.map(({ severity, message, path, offset }) => (
        <p key={`${offset} ${message}`} className={css.problem}>
          <StatusIcon state={severity === 'error' ? 'bad' : 'warn'} /> {`${memberPath(path)}: ${message}`}
        </p>
      ))}
    </section>
  )
}

/** A statement without a valid effect counts as Deny, which its author did not write. */
function EffectIcon({ effect, problems }: { effect: Statement['Effect']; problems: readonly PolicyProblem[] }) {
  const t = useT()
  if (problems.some(({ code }) => code === 'MissingEffect' || code === 'InvalidEffect')) {
    return <StatusIcon state="warn">{t('No effect')}</StatusIcon>
  }
  if (effect === 'Allow') return <StatusIcon state="ok">{t('Allow')}</StatusIcon>
  return <StatusIcon state="bad">{t('Deny')}</StatusIcon>
}

/** Returns `Action[1]` for `Statement[2].Action[1]`: the statement is the card. */
const memberPath = (path: string): string => path.replace(/^Statement\[\d+\]\.?/, '') || 'Statement'

function StatementSummary({ statement }: { statement: Statement }) {
  const t = useT()
  const { Action = [], NotAction = [], Resource = [], NotResource = [] } = statement
  const short = ([first = '–', ...more]: readonly string[]) =>
    more.length === 0
      ? first
      : `${first} ${t(plural('and {{count}} more', 'and {{count}} more'), { count: more.length })}`
  return (
    <p className={css.line}>
      <code>{short(Action.length > 0 ? Action : NotAction)}</code>{' '}
      <code>{short(Resource.length > 0 ? Resource : NotResource)}</code>
    </p>
  )
}

function StatementFields({ statement, dialect, disabled, onChange }: StatementCardProps) {
  const t = useT()
  const { Sid = '', Effect, Action = [], NotAction = [], Resource = [], NotResource = [] } = statement
  const set = (part: Partial<Statement>) => onChange({ ...statement, ...part })
  return (
    <div className={css.fields}>
      <div className={css.first}>
        <SegmentField
          label={t('Effect')}
          value={Effect}
          disabled={disabled}
          data={[
            { value: 'Allow', label: t('Allow') },
            { value: 'Deny', label: t('Deny') },
          ]}
          onChange={(next: Statement['Effect']) => set({ Effect: next })}
        />
        <TextInput
          label={t('Name (Sid)')}
          autoComplete="off"
          spellCheck={false}
          value={Sid}
          disabled={disabled}
          onChange={(event) => set({ Sid: event.currentTarget.value })}
        />
      </div>
      {NotAction.length === 0 && (
        <ActionsField
          label={t('Actions')}
          dialect={dialect}
          value={Action}
          disabled={disabled}
          onChange={(next) => set({ Action: next })}
        />
      )}
      {NotAction.length > 0 && (
        <ActionsField
          label={t('All actions but')}
          dialect={dialect}
          value={NotAction}
          disabled={disabled}
          onChange={(next) => set({ NotAction: next })}
        />
      )}
      {NotResource.length === 0 && (
        <ResourcesField
          label={t('Resources')}
          value={Resource}
          disabled={disabled}
          onChange={(next) => set({ Resource: next })}
        />
      )}
      {NotResource.length > 0 && (
        <ResourcesField
          label={t('All resources but')}
          value={NotResource}
          disabled={disabled}
          onChange={(next) => set({ NotResource: next })}
        />
      )}
      <StatementConditions statement={statement} disabled={disabled} onChange={onChange} />
    </div>
  )
}

const EXAMPLE_RESOURCE = 'arn:aws:s3:::bucket/*'

interface ResourcesFieldProps {
  label: string
  value: readonly string[]
  disabled: boolean
  onChange: (resources: string[]) => void
}

/** The field for resources (ARNs). A typed `bucket` or `bucket/key` is prefixed with `arn:aws:s3:::`. */
function ResourcesField({ label, value, disabled, onChange }: ResourcesFieldProps) {
  const complete = (text: string) => (text === '*' || text.startsWith('arn:') ? text : `arn:aws:s3:::${text}`)
  return (
    <TagsInput
      label={label}
      placeholder={value.length === 0 ? EXAMPLE_RESOURCE : ''}
      classNames={{ pill: css.pill ?? '' }}
      splitChars={[',', ' ']}
      value={[...value]}
      disabled={disabled}
      onChange={(next) => onChange([...new Set(next.map(complete))])}
    />
  )
}
