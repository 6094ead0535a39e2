import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../Icon.tsx'
import { Key } from '../Key.tsx'
import css from './table.module.css'

interface FilterFieldProps {
  placeholder: string
  value: string
  /** At every key. */
  onType: (text: string) => void
}

/** The filter of a list. `/` goes to it from anywhere on the page, Escape empties it. */
export function FilterField({ placeholder, value, onType }: FilterFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const [focused, setFocused] = useState(false)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing =
        event.target instanceof HTMLElement && event.target.closest('input, textarea, select, [role="dialog"]')
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      field.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  return (
    <TextInput
      ref={field}
      className={css.filter ?? ''}
      placeholder={placeholder}
      aria-label={placeholder}
      type="search"
      value={value}
      leftSection={<Icon of={IconSearch} size={14} />}
      rightSection={focused || value !== '' ? null : <Key>/</Key>}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || value === '') return
        event.stopPropagation()
        onType('')
      }}
    />
  )
}
