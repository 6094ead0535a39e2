import { Autocomplete, Button, Select, TextInput } from '@mantine/core'
import { ACTIONS, CONDITION_OPERATORS, type Statement } from '@stowage/iam-policy'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useT } from '../../../lib/text/i18n.ts'
import { RemovableChip } from '../../../ui/form/RemovableChip.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { conditionLines, withCondition, withoutCondition } from './statements.ts'
import css from './workbench.module.css'

interface ConditionsFieldProps {
  statement: Statement
  disabled: boolean
  onChange: (statement: Statement) => void
}

/**
 * The field for a statement's conditions. Adding a value to an existing condition adds an alternative; removing removes all
 * values.
 */
export function ConditionsField({ statement, disabled, onChange }: ConditionsFieldProps) {
  const t = useT()
  const [adding, setAdding] = useState(false)
  return (
    <fieldset className={css.conditions} disabled={disabled}>
      <legend className={css.label}>{t('Conditions')}</legend>
      {conditionLines(statement).map(({ operator, key, values }) => {
        const text = `${operator} ${key} = ${values.join(', ')}`
        return (
          <RemovableChip
            key={`${operator} ${key}`}
            text={text}
            onRemove={() => onChange(withoutCondition(statement, operator, key))}
          />
        )
      })}
      {adding ? (
        <NewCondition
          keys={keysFor(statement)}
          onAdd={(operator, key, value) => {
            onChange(withCondition(statement, operator, key, value))
            setAdding(false)
          }}
        />
      ) : (
        <Button
          size="xs"
          variant="subtle"
          leftSection={<Icon of={IconPlus} size={14} />}
          onClick={() => setAdding(true)}
        >
          {t('Add condition')}
        </Button>
      )}
    </fieldset>
  )
}

/** Returns the condition keys that all known actions of a statement support. Patterns such as `s3:Get*` are ignored. */
function keysFor({ Action = [] }: Statement): string[] {
  const known = Action.flatMap((action) => ACTIONS.get(action)?.conditionKeys ?? [])
  const [first = ACTIONS.get('s3:ListBucket')?.conditionKeys ?? new Set<string>(), ...others] = known
  return [...first].filter((key) => others.every((keys) => keys.has(key))).sort()
}

const EXAMPLE_KEY = 'aws:SourceIp'

function NewCondition({
  keys,
  onAdd,
}: {
  keys: readonly string[]
  onAdd: (operator: string, key: string, value: string) => void
}) {
  const t = useT()
  const [operator, setOperator] = useState('StringEquals')
  const [key, setKey] = useState('')
  const [value, setValue] = useState('')
  const complete = key.trim() !== '' && value.trim() !== ''
  const add = () => complete && onAdd(operator, key.trim(), value.trim())
  return (
    <div className={css.newCondition}>
      <Select
        aria-label={t('Operator')}
        data={[...CONDITION_OPERATORS]}
        searchable
        allowDeselect={false}
        value={operator}
        onChange={(next) => next && setOperator(next)}
      />
      <Autocomplete
        aria-label={t('Condition key')}
        placeholder={EXAMPLE_KEY}
        data={[...keys]}
        value={key}
        onChange={setKey}
      />
      <TextInput
        aria-label={t('Value')}
        placeholder={t('Value')}
        autoComplete="off"
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // Do not submit the surrounding form.
          event.preventDefault()
          add()
        }}
      />
      <Button size="xs" disabled={!complete} onClick={add}>
        {t('Add')}
      </Button>
    </div>
  )
}
