import { ActionIcon, Tooltip } from '@mantine/core'
import { IconMenu2, IconSearch } from '@tabler/icons-react'
import type { Ref } from 'react'
import { cx } from '../lib/cx.ts'
import { countHealthy, healthState, useAdminInfo } from '../lib/data/admin-info.ts'
import { keyLabels, shortcuts } from '../lib/navigation/shortcuts.ts'
import { useT } from '../lib/text/i18n.ts'
import { Link } from '../ui/controls/Link.tsx'
import { Icon } from '../ui/icons/Icon.tsx'
import { Logo } from '../ui/icons/Logo.tsx'
import { StatusIcon } from '../ui/icons/StatusIcon.tsx'
import { KeyCap } from '../ui/keyboard/KeyCap.tsx'
import { crumbSlot } from '../ui/page/Crumbs.tsx'
import { SchemeButton } from './controls/SchemeButton.tsx'
import { paletteOpen } from './controls/shell-state.ts'
import css from './TopBar.module.css'

interface TopBarProps {
  /** Whether the button that opens the sidebar is shown. */
  menu: boolean
  menuRef: Ref<HTMLButtonElement>
  onMenu: () => void
}

export function TopBar({ menu, menuRef, onMenu }: TopBarProps) {
  const t = useT()
  const search = () => paletteOpen.set(true)
  return (
    <header className={cx(css.top, menu && css.withMenu)}>
      {menu && (
        <Tooltip label={t('Menu')}>
          <ActionIcon ref={menuRef} className={css.touch ?? ''} aria-label={t('Menu')} onClick={onMenu}>
            <Icon of={IconMenu2} />
          </ActionIcon>
        </Tooltip>
      )}
      <Link to="/" className={css.brand} aria-label={t('Start page')}>
        <Logo height={18} />
      </Link>
      <div className={css.crumbs} ref={(element) => crumbSlot.set(element)} />
      <Health />
      <button type="button" className={css.search} onClick={search} aria-keyshortcuts="Control+K">
        <Icon of={IconSearch} size={14} />
        <span className="grow truncate">{t('Search or run a command')}</span>
        <KeyCap>{keyLabels(shortcuts.everywhere.palette.keys[0]).join(' ')}</KeyCap>
      </button>
      <ActionIcon className={cx(css.touch, css.smallSearch)} aria-label={t('Search or run a command')} onClick={search}>
        <Icon of={IconSearch} />
      </ActionIcon>
      <SchemeButton className={css.scheme} />
    </header>
  )
}

/** The number of healthy servers and drives, if the user may read server information. */
function Health() {
  const t = useT()
  const info = useAdminInfo()
  if (!info) return null
  const { servers, drives } = countHealthy(info)
  return (
    <fieldset className={css.health} aria-label={t('Server health')}>
      <StatusIcon state={healthState(servers)} className={healthState(servers) === 'ok' ? css.fine : undefined}>
        {t('{{healthy}} of {{total}} servers', { ...servers })}
      </StatusIcon>
      <StatusIcon state={healthState(drives)} className={healthState(drives) === 'ok' ? css.fine : undefined}>
        {t('{{healthy}} of {{total}} drives', { ...drives })}
      </StatusIcon>
    </fieldset>
  )
}
