import { Button } from '@mantine/core'
import { useState } from 'react'
import { useT } from '../../../lib/text/i18n.ts'
import { TextField } from '../../../ui/form/TextField.tsx'
import css from '../tenants.module.css'

interface NamespacesFormProps {
  value: string | undefined
  onChange: (namespaces: string | undefined) => void
}

/** A form for users with the right to list tenants in some namespaces only, to enter the names of these. */
export function NamespacesForm({ value, onChange }: NamespacesFormProps) {
  const t = useT()
  const [typed, setTyped] = useState(value ?? '')
  return (
    <form
      className={css.body}
      onSubmit={(event) => {
        event.preventDefault()
        onChange(typed.trim() || undefined)
      }}
    >
      <TextField
        label={t('Namespaces')}
        hint={t('You may not list this in the whole cluster. Enter the namespaces, separated by commas.')}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className={css.row}>
        <Button type="submit" variant="filled">
          {t('Show')}
        </Button>
      </div>
    </form>
  )
}
