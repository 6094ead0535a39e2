import { Autocomplete } from '@mantine/core'
import { ACTIONS, actionInfo } from '@stowage/iam-policy'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { usePermissions } from '../../../lib/data/permissions.ts'
import { useSession } from '../../../lib/session/session.ts'
import { type Translate, useT } from '../../../lib/text/i18n.ts'
import { SegmentField } from '../../../ui/form/SegmentField.tsx'
import { ConditionsField } from '../conditions/ConditionsField.tsx'
import css from './can-they.module.css'
import type { CanTheyQuestion, QuestionCondition } from './can-they-question.ts'

const ACTION_NAMES = [...ACTIONS.keys()].sort()
/** The most common condition keys; others can be typed. */
const KEYS = [
  'aws:SourceIp',
  'aws:SecureTransport',
  'aws:CurrentTime',
  'aws:Referer',
  'aws:UserAgent',
  'aws:groups',
  's3:prefix',
  's3:delimiter',
  's3:max-keys',
  's3:versionid',
  's3:authType',
  's3:x-amz-acl',
]
/** Placeholders of empty fields. */
const EXAMPLE = { action: 's3:GetObject', resource: 'arn:aws:s3:::bucket/key' }
/** The number of suggestions that are shown. */
const SHOWN = 100

interface QuestionFormProps {
  question: CanTheyQuestion
  onChange: (question: CanTheyQuestion) => void
}

/** The form for the question: subject, action, resource and conditions. The answer is updated when a field loses the focus. */
export function QuestionForm({ question, onChange }: QuestionFormProps) {
  const t = useT()
  const { who, name, action, resource, conditions } = question
  const names = useNames(who)
  const set = (part: Partial<CanTheyQuestion>) => onChange({ ...question, ...part })
  return (
    <div className={css.form}>
      <div className={css.who}>
        <SegmentField
          label={t('Who')}
          value={who}
          data={[
            { value: 'user', label: t('User') },
            { value: 'group', label: t('Group') },
            { value: 'access-key', label: t('Access key') },
            { value: 'anonymous', label: t('Anonymous') },
          ]}
          onChange={(next: CanTheyQuestion['who']) => set({ who: next, name: '' })}
        />
        {who !== 'anonymous' && (
          <TypedField
            label={subjectLabel(t, who)}
            value={name}
            suggestions={names}
            onDone={(next) => set({ name: next })}
          />
        )}
      </div>
      <TypedField
        label={t('Action')}
        value={action}
        suggestions={ACTION_NAMES}
        placeholder={EXAMPLE.action}
        onDone={(next) => set({ action: next })}
      />
      <TypedField
        label={t('Resource')}
        value={resource}
        suggestions={[]}
        placeholder={EXAMPLE.resource}
        onDone={(next) => set({ resource: next })}
      />
      <ConditionsField
        texts={conditions.map((condition) => questionConditionText(t, condition))}
        keys={suggestedKeys(action)}
        absence
        onAdd={({ key, value, absent }) => {
          // A key is either absent or has values.
          const others = conditions.filter(
            (condition) => condition.key !== key || (!absent && !condition.absent && condition.value !== value),
          )
          set({ conditions: [...others, { key, value, ...(absent ? { absent } : {}) }] })
        }}
        onRemove={(index) => set({ conditions: conditions.toSpliced(index, 1) })}
      />
    </div>
  )
}

/** Returns a condition of a question as text. */
export const questionConditionText = (t: Translate, { key, value, absent }: QuestionCondition): string =>
  absent ? t('{{key}} is absent', { key }) : `${key} = ${value}`

/** Returns the keys to choose from: those of the action, then the common ones. */
function suggestedKeys(action: string): string[] {
  const own = [...(actionInfo(action)?.conditionKeys ?? [])].filter((key) => key.startsWith('s3:'))
  return [...new Set([...own, ...KEYS])]
}

const subjectLabel = (t: ReturnType<typeof useT>, who: CanTheyQuestion['who']) =>
  who === 'user' ? t('User') : who === 'group' ? t('Group') : t('Access key')

/** Returns the names to choose from. Without the right to list them, users ask about themselves or type a name. */
function useNames(who: CanTheyQuestion['who']): string[] {
  const may = usePermissions()
  const { user = '' } = useSession()
  const all = may('admin:ListUsers') === true
  const users = useQuery({ ...q('listUsers', {}), enabled: all && who === 'user' })
  const groups = useQuery({ ...q('listGroups', {}), enabled: may('admin:ListGroups') === true && who === 'group' })
  const strategy = useQuery(q('getLoginStrategy', {}))
  const directory = useQuery({
    ...q('listDirectoryPolicies', {}),
    enabled: strategy.data?.directory === true && may('admin:ListUserPolicies') === true,
  })
  const inDirectory = (type: 'user' | 'group') =>
    (directory.data ?? []).filter(({ entityType }) => entityType === type).map(({ name }) => name)
  const keys = useQuery({
    ...q('listAccessKeys', { query: all ? { all: 'true' } : {} }),
    enabled: who === 'access-key',
  })
  if (who === 'user') {
    const builtIn = (users.data?.users ?? []).map(({ accessKey }) => accessKey)
    return [...new Set([user, ...builtIn, ...inDirectory('user')])]
  }
  if (who === 'group') return [...(groups.data?.groups ?? []), ...inDirectory('group')]
  return (keys.data?.keys ?? []).map(({ accessKey }) => accessKey)
}

interface TypedFieldProps {
  label: string
  hideLabel?: boolean
  value: string
  suggestions: readonly string[]
  placeholder?: string
  onDone: (value: string) => void
}

/** A text field that applies its value on blur, on Enter, or when a suggestion is selected. */
function TypedField({ label, value, suggestions, placeholder, onDone }: TypedFieldProps) {
  const [draft, setDraft] = useState(value)
  useEffect(() => setDraft(value), [value])
  const done = (text: string) => text.trim() !== value && onDone(text.trim())
  return (
    <Autocomplete
      label={label}
      className={css.typed}
      classNames={{ input: css.code ?? '' }}
      data={[...new Set(suggestions)]}
      limit={SHOWN}
      spellCheck={false}
      value={draft}
      {...(placeholder !== undefined && { placeholder })}
      onChange={setDraft}
      onOptionSubmit={done}
      onBlur={() => done(draft)}
      onKeyDown={(event) => event.key === 'Enter' && done(draft)}
    />
  )
}
