import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { runShortcut, shortcuts, useShortcuts } from '../../lib/navigation/shortcuts.ts'
import { type Message, useT } from '../../lib/text/i18n.ts'
import { Icon } from '../icons/Icon.tsx'
import { KeyCap } from '../keyboard/KeyCap.tsx'
import css from './table.module.css'

interface FilterFieldProps {
  placeholder: Message
  value: string
  /** Called on each keystroke. */
  onType: (text: string) => void
}

/** The filter field of a list. `/` focuses it from anywhere on the page; Escape clears it. */
export function FilterField({ placeholder, value, onType }: FilterFieldProps) {
  const t = useT()
  const field = useRef<HTMLInputElement>(null)
  const [focused, setFocused] = useState(false)

  useShortcuts('lists', { filter: () => field.current?.focus() })

  return (
    <TextInput
      ref={field}
      className={css.filter ?? ''}
      placeholder={t(placeholder)}
      aria-label={t(placeholder)}
      type="search"
      value={value}
      leftSection={<Icon of={IconSearch} size={14} />}
      rightSection={focused || value !== '' ? null : <KeyCap>{shortcuts.lists.filter.keys}</KeyCap>}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={(event) =>
        runShortcut('lists', event, {
          clear: () => {
            if (value === '') return false
            event.stopPropagation()
            onType('')
          },
        })
      }
    />
  )
}
