import notices from 'virtual:notices'
import { useState } from 'react'
import { useT } from '../../lib/text/i18n.ts'
import { msg } from '../../lib/text/message.ts'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { FilterField } from '../../ui/table/FilterField.tsx'
import css from './license.module.css'

/** The dialog with the licenses of the libraries that are part of this program. */
export function NoticesDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const [filter, setFilter] = useState('')
  const shown = notices.packages.filter(({ name, license }) =>
    `${name} ${license}`.toLowerCase().includes(filter.trim().toLowerCase()),
  )
  return (
    <Dialog title={t('Notices of the libraries')} size="lg" onClose={onClose}>
      <div className={css.libraries}>
        <FilterField placeholder={msg('Search libraries')} value={filter} onType={setFilter} />
        <ul className={css.notices}>
          {shown.map((library) => (
            <Notice key={`${library.name}@${library.version}`} {...library} />
          ))}
        </ul>
        {shown.length === 0 && <p className="ink-2">{t('No matches')}</p>}
      </div>
    </Dialog>
  )
}

function Notice({ name, version, license, text }: (typeof notices.packages)[number]) {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <code>{name}</code> {version} <span className="ink-2">{license}</span>
        </summary>
        {open && (
          <pre className={css.notice}>
            {text === undefined ? t('The package has no text of its license.') : notices.texts[text]}
          </pre>
        )}
      </details>
    </li>
  )
}
