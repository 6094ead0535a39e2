import { Button, TextInput } from '@mantine/core'
import { IconPlayerStop, IconSearch } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { type Message, msg, useT } from '../../../lib/text/i18n.ts'
import { Icon } from '../../../ui/icons/Icon.tsx'
import css from './search.module.css'
import { invalidFields, NO_CRITERIA, type SearchCriteria, type SearchField } from './search-criteria.ts'

const inputs: readonly { field: SearchField; label: Message; width: number; placeholder?: string; date?: boolean }[] = [
  { field: 'name', label: msg('Name'), width: 220, placeholder: '*.log' },
  { field: 'min', label: msg('Minimum size'), width: 120, placeholder: '10 MiB' },
  { field: 'max', label: msg('Maximum size'), width: 120, placeholder: '1 GiB' },
  { field: 'after', label: msg('Modified after'), width: 200, date: true },
  { field: 'before', label: msg('Modified before'), width: 200, date: true },
  { field: 'tag', label: msg('Tag'), width: 150, placeholder: 'project=lakes' },
  { field: 'class', label: msg('Storage class'), width: 150, placeholder: 'STANDARD' },
  { field: 'prefix', label: msg('Below this prefix'), width: 200, placeholder: 'reports/2026/' },
]

interface SearchFormProps {
  initial: SearchCriteria
  running: boolean
  onSearch: (typed: SearchCriteria) => void
  onStop: () => void
}

/** The form with the search criteria. An empty field matches every object. */
export function SearchForm({ initial, running, onSearch, onStop }: SearchFormProps) {
  const t = useT()
  const [typed, setTyped] = useState(initial)
  const [wrong, setWrong] = useState<readonly SearchField[]>([])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const problems = invalidFields(typed)
    setWrong(problems)
    if (problems.length === 0) onSearch(typed)
  }
  return (
    <form className={css.form} onSubmit={submit} aria-label={t('Search the bucket')} noValidate>
      {inputs.map(({ field, label, width, placeholder = '', date = false }) => (
        <TextInput
          key={field}
          label={t(label)}
          w={width}
          maxLength={1024}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          {...(date ? { type: 'datetime-local', step: 1 } : {})}
          value={typed[field]}
          error={wrong.includes(field) && (date ? t('Enter a date and a time') : t('Enter a size such as 10 MiB'))}
          onChange={(event) => setTyped({ ...typed, [field]: event.currentTarget.value })}
        />
      ))}
      <div className={css.submit}>
        {running ? (
          <Button leftSection={<Icon of={IconPlayerStop} />} onClick={onStop}>
            {t('Stop')}
          </Button>
        ) : (
          <Button type="submit" variant="filled" leftSection={<Icon of={IconSearch} />}>
            {t('Search')}
          </Button>
        )}
        <Button disabled={running} onClick={() => setTyped(NO_CRITERIA)}>
          {t('Clear')}
        </Button>
      </div>
    </form>
  )
}
