import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useT } from '../../../lib/text/i18n.ts'
import { Icon } from '../../../ui/icons/Icon.tsx'
import css from './lifecycle.module.css'
import { isInvalidTagKey, isInvalidTagValue } from './lifecycle-rule-values.ts'

type Pair = [key: string, value: string]

interface LifecycleTagFieldsProps {
  value: readonly Pair[]
  onChange: (pairs: Pair[]) => void
}

/** Rows of tag keys and values. A row can be added once the last one is complete. */
export function LifecycleTagFields({ value, onChange }: LifecycleTagFieldsProps) {
  const t = useT()
  const rows: readonly Pair[] = value.length === 0 ? [['', '']] : value
  const last = rows.at(-1)
  const isComplete = last !== undefined && last[0].trim() !== '' && last[1].trim() !== ''
  const set = (index: number, pair: Pair) => onChange(rows.map((row, n) => (n === index ? pair : row)))
  return (
    <fieldset className={css.tags}>
      <legend>{t('Tags')}</legend>
      {rows.map(([key, text], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and are added at the end only
        <div key={index} className={css.pair}>
          <TextInput
            aria-label={t('Key of tag {{number}}', { number: index + 1 })}
            placeholder={t('Key')}
            value={key}
            error={isInvalidTagKey(key) && t('The key must not contain = or &')}
            onChange={(event) => set(index, [event.currentTarget.value, text])}
          />
          <TextInput
            aria-label={t('Value of tag {{number}}', { number: index + 1 })}
            placeholder={t('Value')}
            value={text}
            error={isInvalidTagValue(text) && t('The value must not contain &')}
            onChange={(event) => set(index, [key, event.currentTarget.value])}
          />
          <ActionIcon
            variant="default"
            aria-label={t('Remove tag {{number}}', { number: index + 1 })}
            onClick={() => onChange(rows.filter((_, n) => n !== index))}
          >
            <Icon of={IconX} />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon of={IconPlus} />}
        disabled={!isComplete}
        onClick={() => onChange([...rows, ['', '']])}
      >
        {t('Add tag')}
      </Button>
    </fieldset>
  )
}
