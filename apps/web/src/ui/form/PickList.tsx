import { TextInput } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { type QueryResult, resultView } from '../../lib/api/query-result.ts'
import { useT } from '../../lib/text/i18n.ts'
import { useSmallScreen } from '../../lib/use-small-screen.ts'
import { ErrorState } from '../feedback/states.tsx'
import { FieldHint } from './FieldHint.tsx'
import css from './PickList.module.css'

interface PickListProps {
  /** The accessible name of the list: `Groups`. */
  label: string
  /** The placeholder of the search field: `Search Groups`. */
  search: string
  /** Shown if there is nothing to choose from: `No Groups Available`. */
  empty: string
  /** The names to choose from. */
  query: QueryResult<readonly string[]>
  value: readonly string[]
  onChange: (names: string[]) => void
  error?: ReactNode
}

/** A list of checkboxes with a search field. Names that are selected when it opens are listed first. */
export function PickList({ label, search, empty, query, value, onChange, error }: PickListProps) {
  const t = useT()
  const [text, setText] = useState('')
  const small = useSmallScreen()
  const scroll = useRef<HTMLDivElement>(null)
  const [first] = useState(() => new Set(value))
  const chosen = new Set(value)
  const view = resultView(query)
  const names = view.state === 'ready' || view.state === 'stale' ? view.data : undefined
  const shown = useMemo(() => {
    // Selected names that no longer exist are listed too, so that they can be deselected.
    const all = [...new Set([...(names ?? []), ...first])]
    const needle = text.trim().toLowerCase()
    const found = needle === '' ? all : all.filter((name) => name.toLowerCase().includes(needle))
    return [...found.filter((name) => first.has(name)), ...found.filter((name) => !first.has(name))]
  }, [names, first, text])
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => (small ? 44 : 36),
    overscan: 8,
  })
  const toggle = (name: string) =>
    onChange(chosen.has(name) ? value.filter((other) => other !== name) : [...value, name])

  if (view.state === 'failed') return <ErrorState error={view.failure} onRetry={query.refetch} />
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
      <legend className="visually-hidden">{label}</legend>
      <TextInput
        aria-label={search}
        placeholder={search}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <div ref={scroll} className={css.list}>
        {names !== undefined && shown.length === 0 ? (
          <p className={css.empty}>{text.trim() === '' ? empty : t('No match')}</p>
        ) : (
          <div className={css.rows} style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, start, key }) => {
              const name = shown[index] ?? ''
              return (
                <label key={key} className={css.row} style={{ transform: `translateY(${start}px)` }}>
                  <input type="checkbox" checked={chosen.has(name)} onChange={() => toggle(name)} />
                  <span className="truncate">{name}</span>
                </label>
              )
            })}
          </div>
        )}
      </div>
      <FieldHint id={`${label}-error`} hint={t('{{count}} selected', { count: value.length })} error={error} />
    </fieldset>
  )
}
