import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { runShortcut } from '../../lib/navigation/shortcuts.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Icon } from '../icons/Icon.tsx'
import { useFocusReturn } from '../keyboard/restore-focus.ts'
import css from './Drawer.module.css'

interface DrawerProps {
  /** The accessible name. */
  label: string
  header: ReactNode
  /** Identifies the content. When it changes, the panel takes the focus. */
  contentKey: string
  onClose: () => void
  children: ReactNode
}

/** A panel with the details of a row: docked to the right of the list, over it below 1200 px, full screen on a small screen. */
export function Drawer({ label, header, contentKey, onClose, children }: DrawerProps) {
  const t = useT()
  const panel = useRef<HTMLElement>(null)
  useFocusReturn(contentKey)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the content changes
  useEffect(() => panel.current?.focus(), [contentKey])
  return (
    <aside
      ref={panel}
      className={css.drawer}
      aria-label={label}
      data-docked
      tabIndex={-1}
      onKeyDown={(event) => event.defaultPrevented || runShortcut('overlays', event, { close: onClose })}
    >
      <div className={css.head}>
        <div className="grow">{header}</div>
        <ActionIcon aria-label={t('Close')} onClick={onClose}>
          <Icon of={IconX} />
        </ActionIcon>
      </div>
      <div className={css.body} data-scroll>
        {children}
      </div>
    </aside>
  )
}

/** A section of a drawer, between hairlines. */
export function DrawerSection({
  label,
  action,
  children,
}: {
  label?: string
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <section className={css.section} aria-label={label}>
      {label !== undefined && (
        <div className={css.label}>
          <h3>{label}</h3>
          {action}
        </div>
      )}
      {children}
    </section>
  )
}
