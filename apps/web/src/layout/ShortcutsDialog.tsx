import { Fragment } from 'react'
import { keyLabels, listShortcuts, type ShortcutGroup } from '../lib/navigation/shortcuts.ts'
import { type Message, msg, useT } from '../lib/text/i18n.ts'
import { Dialog } from '../ui/dialog/Dialog.tsx'
import { WIDE_DIALOG_WIDTH } from '../ui/dialog/FormModal.tsx'
import { shortcutsOpen } from './controls/shell-state.ts'
import css from './ShortcutsDialog.module.css'

const titles: Record<ShortcutGroup, Message> = {
  everywhere: msg('Everywhere'),
  lists: msg('Lists'),
  rows: msg('Rows of a list'),
  palette: msg('Search and commands'),
  overlays: msg('Dialogs and menus'),
}
/** The long group has a column to itself. */
const columns: readonly (readonly ShortcutGroup[])[] = [['everywhere', 'lists', 'palette', 'overlays'], ['rows']]

/** The dialog that lists all keyboard shortcuts. */
export function ShortcutsDialog() {
  const t = useT()
  return (
    <Dialog onClose={() => shortcutsOpen.set(false)} size={WIDE_DIALOG_WIDTH} title={t('Keyboard shortcuts')}>
      <div className={css.columns}>
        {columns.map((groups) => (
          <div key={groups.join()}>
            {groups.map((group) => (
              <section key={group} className={css.group} aria-label={t(titles[group])}>
                <h3 className={css.title}>{t(titles[group])}</h3>
                <dl className={css.list}>
                  {sortBySimplicity(group).map(({ label, keys }) => (
                    <div key={label} className={css.shortcut}>
                      <dt>{t(label)}</dt>
                      <dd>
                        {keys.map((keyed) => (
                          <Keys key={keyed} keyed={keyed} />
                        ))}
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
        ))}
      </div>
    </Dialog>
  )
}

/** Sorts shortcuts without Shift first. Key handlers need the opposite order, but readers start with the simple ones. */
function sortBySimplicity(group: ShortcutGroup) {
  const shifted = (keys: readonly string[]) => Number(keys.some((keyed) => keyed.startsWith('Shift+')))
  return listShortcuts(group).toSorted((a, b) => shifted(a.keys) - shifted(b.keys))
}

function Keys({ keyed }: { keyed: string }) {
  return (
    <span className={css.keys}>
      {keyLabels(keyed).map((cap, i) => (
        <Fragment key={cap}>
          {i > 0 && ' '}
          <kbd>{cap}</kbd>
        </Fragment>
      ))}
    </span>
  )
}
