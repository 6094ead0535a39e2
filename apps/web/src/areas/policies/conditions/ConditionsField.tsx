import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useT } from '../../../lib/text/i18n.ts'
import { RemovableChip } from '../../../ui/form/RemovableChip.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import css from './conditions.module.css'
import { NewCondition, type NewConditionProps } from './NewCondition.tsx'

interface ConditionsFieldProps extends NewConditionProps {
  /** The conditions as texts, which differ from each other. */
  texts: readonly string[]
  disabled?: boolean
  onRemove: (index: number) => void
}

/** The field for conditions: those that exist, each with a button that removes it, and a form for a new one. */
export function ConditionsField({ texts, disabled = false, onAdd, onRemove, ...props }: ConditionsFieldProps) {
  const t = useT()
  const [form, setForm] = useState<'none' | 'open' | 'done'>('none')
  return (
    <fieldset className={css.field} disabled={disabled}>
      <legend className={css.label}>{t('Conditions')}</legend>
      {texts.map((text, index) => (
        <RemovableChip key={text} text={text} onRemove={() => onRemove(index)} />
      ))}
      {form === 'open' ? (
        <NewCondition
          {...props}
          onAdd={(condition) => {
            onAdd(condition)
            setForm('done')
          }}
        />
      ) : (
        <Button
          size="xs"
          variant="subtle"
          // The form that had the focus is gone.
          autoFocus={form === 'done'}
          leftSection={<Icon of={IconPlus} size={14} />}
          onClick={() => setForm('open')}
        >
          {t('Add condition')}
        </Button>
      )}
    </fieldset>
  )
}
