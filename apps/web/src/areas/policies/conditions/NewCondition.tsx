import { Autocomplete, Button, Checkbox, Select, TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { useT } from '../../../lib/text/i18n.ts'
import css from './conditions.module.css'

const EXAMPLE_KEY = 'aws:SourceIp'

interface NewConditionValues {
  operator: string
  key: string
  value: string
  /** The request does not have the key. */
  absent?: true
}

export interface NewConditionProps {
  /** Suggested keys; others can be typed. */
  keys: readonly string[]
  /** The operators to choose from, the default one first. Without them, a condition is only a key and a value. */
  operators?: readonly string[]
  /** Whether a condition can also be that the request does not have the key. */
  absence?: boolean
  onAdd: (condition: NewConditionValues) => void
}

/** The form for a new condition. */
export function NewCondition({ keys, operators = [], absence = false, onAdd }: NewConditionProps) {
  const t = useT()
  const [operator, setOperator] = useState(operators[0] ?? '')
  const [key, setKey] = useState('')
  const [value, setValue] = useState('')
  const [absent, setAbsent] = useState(false)
  const complete = key.trim() !== '' && (absent || value.trim() !== '')
  const add = () =>
    complete && onAdd({ operator, key: key.trim(), ...(absent ? { value: '', absent } : { value: value.trim() }) })
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // Do not submit the surrounding form.
    event.preventDefault()
    add()
  }
  return (
    <div className={css.new}>
      {operators.length > 0 && (
        <Select
          className={css.input ?? ''}
          aria-label={t('Operator')}
          data={operators}
          searchable
          allowDeselect={false}
          value={operator}
          onChange={(next) => next && setOperator(next)}
        />
      )}
      <Autocomplete
        className={css.input ?? ''}
        aria-label={t('Condition key')}
        placeholder={EXAMPLE_KEY}
        data={[...keys]}
        autoFocus
        value={key}
        onChange={setKey}
      />
      <TextInput
        className={css.input ?? ''}
        aria-label={t('Value')}
        placeholder={t('Value')}
        autoComplete="off"
        disabled={absent}
        value={absent ? '' : value}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={addOnEnter}
      />
      {absence && (
        <Checkbox
          label={t('The request does not have this key')}
          checked={absent}
          onChange={(event) => setAbsent(event.currentTarget.checked)}
        />
      )}
      <Button size="xs" disabled={!complete} onClick={add}>
        {t('Add')}
      </Button>
    </div>
  )
}
