import { ActionIcon, Input, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useT } from '../../lib/text/i18n.ts'
import { Disabled } from '../controls/Disabled.tsx'
import { Icon } from '../icons/Icon.tsx'
import { FieldHint } from './FieldHint.tsx'
import css from './form.module.css'
import type { BoundFieldProps } from './types.ts'

interface TagsFieldProps extends BoundFieldProps<string> {
  label: string
}

interface TagRow {
  id: number
  key: string
  value: string
}

/** Input is applied after a pause of this length (ms), and immediately when the field loses the focus. */
const PAUSE_MS = 500

const isComplete = ({ key, value }: Pick<TagRow, 'key' | 'value'>) => key.trim() !== '' && value.trim() !== ''

const encodeTagRows = (rows: readonly TagRow[]): string =>
  new URLSearchParams(rows.filter(isComplete).map(({ key, value }) => [key.trim(), value.trim()])).toString()

const decodeTagRows = (text: string): TagRow[] => {
  const rows = [...new URLSearchParams(text)].map(([key, value], id) => ({ id, key, value }))
  return rows.length > 0 ? rows : [{ id: 0, key: '', value: '' }]
}

/** Fields for key-value pairs. The value has the form `key=value&key2=value2`; incomplete pairs are omitted. */
export function TagsField({ label, value = '', onChange, error }: TagsFieldProps) {
  const t = useT()
  const id = useId()
  const [rows, setRows] = useState(() => decodeTagRows(value))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const last = rows.at(-1)
  const canAdd = last === undefined || isComplete(last)

  useEffect(() => () => clearTimeout(timer.current), [])
  const give = (next: readonly TagRow[]) => {
    clearTimeout(timer.current)
    const text = encodeTagRows(next)
    if (text !== value) onChange?.(text)
  }
  const change = (next: TagRow[]) => {
    setRows(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => give(next), PAUSE_MS)
  }
  const edit = (row: TagRow, part: Partial<TagRow>) =>
    change(rows.map((one) => (one.id === row.id ? { ...one, ...part } : one)))
  const add = () => setRows([...rows, { id: 1 + Math.max(-1, ...rows.map((row) => row.id)), key: '', value: '' }])
  const remove = (row: TagRow) => {
    const left = rows.filter((one) => one.id !== row.id)
    change(left.length > 0 ? left : decodeTagRows(''))
  }

  return (
    <Input.Wrapper label={label} labelElement="div">
      <fieldset className={css.tags} aria-label={label} onBlur={() => give(rows)}>
        {rows.map((row, i) => (
          <div key={row.id} className={css.tag}>
            <TextInput
              aria-label={t('Tag Key {{number}}', { number: i + 1 })}
              placeholder={t('Key')}
              maxLength={128}
              autoComplete="off"
              value={row.key}
              onChange={(event) => edit(row, { key: event.currentTarget.value })}
              onKeyDown={(event) => event.key === 'Enter' && give(rows)}
            />
            <TextInput
              aria-label={t('Tag Value {{number}}', { number: i + 1 })}
              placeholder={t('Value')}
              maxLength={256}
              autoComplete="off"
              value={row.value}
              onChange={(event) => edit(row, { value: event.currentTarget.value })}
              onKeyDown={(event) => event.key === 'Enter' && give(rows)}
            />
            <ActionIcon
              aria-label={t('Remove Tag {{number}}', { number: i + 1 })}
              disabled={rows.length === 1 && row.key === '' && row.value === ''}
              onClick={() => remove(row)}
            >
              <Icon of={IconX} />
            </ActionIcon>
            {i === rows.length - 1 ? (
              <Disabled reason={!canAdd && t('Enter a key and a value first')} label={t('Add Tag')}>
                <ActionIcon aria-label={t('Add Tag')} onClick={add}>
                  <Icon of={IconPlus} />
                </ActionIcon>
              </Disabled>
            ) : (
              <span className={css.noButton} />
            )}
          </div>
        ))}
      </fieldset>
      <FieldHint id={id} hint={undefined} error={error} />
    </Input.Wrapper>
  )
}
