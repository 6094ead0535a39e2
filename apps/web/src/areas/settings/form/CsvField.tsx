import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useT } from '../../../lib/text/i18n.ts'
import { FieldHint } from '../../../ui/form/FieldHint.tsx'
import type { BoundFieldProps } from '../../../ui/form/types.ts'
import { Icon } from '../../../ui/icons/Icon.tsx'
import css from '../settings.module.css'

/** Delay between the last keystroke and the update of the value (ms). */
const DEBOUNCE_MS = 500

interface CsvFieldProps extends BoundFieldProps<string> {
  label: string
  hint?: ReactNode
  disabled?: boolean
}

/** A list of text rows whose value is a comma-separated string. */
export function CsvField({ label, value = '', onChange, hint, error, disabled = false, ...rest }: CsvFieldProps) {
  const t = useT()
  const id = useId()
  const [rows, setRows] = useState(() => csvRows(value))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const sent = useRef(value)
  useEffect(() => {
    // The value was changed from outside, for example by a refresh.
    if (value !== sent.current) setRows(csvRows(value))
    sent.current = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const send = (next: readonly string[]) => {
    const text = next
      .map((row) => row.trim())
      .filter((row) => row !== '')
      .join(',')
    sent.current = text
    onChange?.(text)
  }
  const change = (next: string[], ms = DEBOUNCE_MS) => {
    setRows(next)
    clearTimeout(timer.current)
    if (ms === 0) send(next)
    else timer.current = setTimeout(() => send(next), ms)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: not every browser supports grid layout in a fieldset
    <div role="group" aria-labelledby={id} {...rest}>
      <div id={id} className={css.label}>
        {label}
      </div>
      <div className={css.csv}>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its position
          <div key={index} className={css.csvRow}>
            <TextInput
              aria-label={t('{{label}} {{number}}', { label, number: index + 1 })}
              value={row}
              disabled={disabled}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => change(rows.with(index, event.currentTarget.value))}
              onBlur={() => change(rows, 0)}
              // Enter submits the form, so update the value immediately.
              onKeyDown={(event) => event.key === 'Enter' && change(rows, 0)}
            />
            {rows.length > 1 && (
              <ActionIcon
                size={36}
                disabled={disabled}
                aria-label={t('Remove {{label}} {{number}}', { label, number: index + 1 })}
                onClick={() => change(rows.toSpliced(index, 1), 0)}
              >
                <Icon of={IconTrash} />
              </ActionIcon>
            )}
          </div>
        ))}
        <div>
          <Button
            size="xs"
            disabled={disabled}
            leftSection={<Icon of={IconPlus} />}
            onClick={() => setRows([...rows, ''])}
          >
            {t('Add a Row')}
          </Button>
        </div>
      </div>
      <FieldHint id={`${id}-error`} hint={hint} error={error} />
    </div>
  )
}

const csvRows = (text: string) => (text === '' ? [''] : text.split(',').map((row) => row.trim()))
