import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useCallback, useEffect, useId, useRef, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import type { PaletteEntry } from '../../lib/navigation/palette-entry.ts'
import { runShortcut } from '../../lib/navigation/shortcuts.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { Icon } from '../../ui/icons/Icon.tsx'
import { KeyCap } from '../../ui/keyboard/KeyCap.tsx'
import { paletteOpen } from '../controls/shell-state.ts'
import { takeEarlyKeys } from './early-keys.ts'
import css from './Palette.module.css'
import { matchIndex, searchEntries } from './search-entries.ts'
import { usePaletteEntries } from './use-palette-entries.ts'

/** The command palette: the user types, selects with the arrow keys and presses Enter. */
export function Palette() {
  const t = useT()
  const id = useId()
  const entries = usePaletteEntries()
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const found = searchEntries(entries, query)
  const at = Math.min(active, Math.max(0, found.length - 1))
  const current = found[at]

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the active row changes
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at, query])

  const takeOver = useCallback((field: HTMLInputElement | null) => {
    if (!field) return
    field.focus()
    setQuery(takeEarlyKeys())
  }, [])

  const close = () => paletteOpen.set(false)
  const run = (entry: PaletteEntry) => {
    close()
    entry.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const count = Math.max(1, found.length)
    runShortcut('palette', event, {
      down: () => setActive((at + 1) % count),
      up: () => setActive((at - 1 + count) % count),
      run: () => current !== undefined && run(current),
      into: () => {
        if (event.shiftKey || !current?.into) return false
        close()
        return current.into()
      },
    })
  }

  return (
    <Dialog
      onClose={close}
      size={640}
      withCloseButton={false}
      yOffset="12vh"
      centered={false}
      attributes={{ content: { 'aria-label': t('Command palette') } }}
      classNames={{ content: css.content ?? '' }}
    >
      <div className={css.query}>
        <Icon of={IconSearch} />
        <input
          ref={takeOver}
          className={css.input}
          role="combobox"
          aria-label={t('Search or run a command')}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={current ? `${id}-${at}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={query}
          placeholder={t('Search or run a command')}
          onChange={(event) => {
            setQuery(event.currentTarget.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
        />
        <KeyCap>Esc</KeyCap>
      </div>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={t('Results')} className={css.list}>
        {found.map((entry, i) => (
          <div key={`${entry.area}/${entry.label}`} role="presentation">
            {entry.area !== found[i - 1]?.area && (
              <div className={css.area} role="presentation">
                {entry.area}
              </div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the search field, which keeps the focus */}
            <div
              id={`${id}-${i}`}
              role="option"
              tabIndex={-1}
              aria-selected={i === at}
              className={cx(css.entry, i === at && css.active)}
              onMouseMove={() => setActive(i)}
              onClick={() => run(entry)}
            >
              <Icon of={entry.icon} />
              <span className="truncate">
                <Match text={entry.label} query={query} />
              </span>
              {entry.note !== undefined && <span className={css.note}>{entry.note}</span>}
              <span className="grow" />
              {i === at && (
                <>
                  <span className="small ink-2">{entry.verb}</span>
                  <KeyCap>↵</KeyCap>
                </>
              )}
            </div>
          </div>
        ))}
        {found.length === 0 && <p className={css.nothing}>{t('Nothing found')}</p>}
      </div>
      <div className={css.foot} aria-hidden="true">
        <span>
          <KeyCap>↑</KeyCap> <KeyCap>↓</KeyCap> {t('move')}
        </span>
        {current?.into && (
          <span>
            <KeyCap>Tab</KeyCap> {t('into bucket')}
          </span>
        )}
      </div>
    </Dialog>
  )
}

function Match({ text, query }: { text: string; query: string }) {
  const length = query.trim().length
  const at = length === 0 ? -1 : matchIndex(text, query)
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <mark className={css.match}>{text.slice(at, at + length)}</mark>
      {text.slice(at + length)}
    </>
  )
}
