import { ActionIcon, Tooltip } from '@mantine/core'
import {
  IconBook2,
  IconChevronDown,
  IconChevronRight,
  IconExternalLink,
  IconKeyboard,
  IconLayoutSidebar,
  IconLogout,
} from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { type Ref, useState } from 'react'
import { useReachability } from '../lib/api/reachability.ts'
import { cx } from '../lib/cx.ts'
import { isAllowed } from '../lib/navigation/pages.ts'
import { logout, useSession } from '../lib/session/session.ts'
import { useT } from '../lib/text/i18n.ts'
import { Trans } from '../lib/text/Trans.tsx'
import { paths } from '../paths.ts'
import { Icon } from '../ui/Icon.tsx'
import { Link } from '../ui/Link.tsx'
import { Logo } from '../ui/Logo.tsx'
import { Mark } from '../ui/Mark.tsx'
import { LanguageButton } from './LanguageButton.tsx'
import { commonItems, documentationUrl, type NavItem, navGroups } from './nav-items.ts'
import css from './Sidebar.module.css'
import { shortcutsOpen } from './shell-state.ts'

interface SidebarProps {
  onHide: () => void
  hideRef?: Ref<HTMLButtonElement>
}

export function Sidebar({ onHide, hideRef }: SidebarProps) {
  const t = useT()
  const session = useSession()
  const allowed = (items: NavItem[]) => items.filter((item) => isAllowed(session.pages, item.page))
  const groups = navGroups
    .map((group) => ({ ...group, items: allowed(group.items) }))
    .filter((group) => group.items.length > 0)
  return (
    <div className={css.sidebar}>
      <div className={css.top}>
        <Link to={paths.home} className={css.brand} aria-label={t('Start page')}>
          <Logo operator={session.operator} />
        </Link>
        <Tooltip label={t('Hide sidebar')}>
          <ActionIcon ref={hideRef} aria-label={t('Hide sidebar')} onClick={onHide}>
            <Icon of={IconLayoutSidebar} />
          </ActionIcon>
        </Tooltip>
      </div>
      {session.server !== undefined && <Server name={session.server} />}
      <nav className={css.nav} aria-label={t('Main')}>
        {allowed(commonItems).map((item) => (
          <Item key={item.to} item={item} />
        ))}
        {groups.map((group) => (
          <Group key={group.label} label={t(group.label)} items={group.items} />
        ))}
        <div className={css.gap} />
        <a className={css.item} href={documentationUrl(session.operator)} target="_blank" rel="noopener noreferrer">
          <Icon of={IconBook2} />
          <span className="grow">{t('Documentation')}</span>
          <Icon of={IconExternalLink} size={13} />
          <span className="visually-hidden">{t('opens in a new tab')}</span>
        </a>
      </nav>
      <div className={css.foot}>
        <span className={cx('truncate', css.user)} title={session.user}>
          <Trans
            text="<hidden>Signed in as</hidden> <user/>"
            parts={{ hidden: <span className="visually-hidden" />, user: session.user }}
          />
        </span>
        <LanguageButton />
        <Tooltip label={t('Keyboard shortcuts')}>
          <ActionIcon aria-label={t('Keyboard shortcuts')} onClick={() => shortcutsOpen.set(true)}>
            <Icon of={IconKeyboard} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={t('Logout')}>
          <ActionIcon aria-label={t('Logout')} onClick={() => void logout()}>
            <Icon of={IconLogout} />
          </ActionIcon>
        </Tooltip>
      </div>
    </div>
  )
}

function Group({ label, items }: { label: string; items: NavItem[] }) {
  const [open, setOpen] = useState(true)
  return (
    <>
      <button type="button" className={css.group} aria-expanded={open} onClick={() => setOpen(!open)}>
        <span>{label}</span>
        <Icon of={open ? IconChevronDown : IconChevronRight} size={12} />
      </button>
      {open && items.map((item) => <Item key={item.to} item={item} />)}
    </>
  )
}

function Item({ item }: { item: NavItem }) {
  const t = useT()
  const current = useLocation({ select: ({ pathname }) => pathname === item.to || pathname.startsWith(`${item.to}/`) })
  return (
    <Link to={item.to} className={cx(css.item, current && css.current)} aria-current={current ? 'page' : undefined}>
      <Icon of={item.icon} />
      <span>{t(item.label)}</span>
    </Link>
  )
}

/** The storage server that is managed, and whether it answers. */
function Server({ name }: { name: string }) {
  const t = useT()
  const reach = useReachability()
  const [state, word] =
    reach === undefined
      ? (['unknown', t('Unknown')] as const)
      : reach.state === 'ok'
        ? (['ok', t('Online')] as const)
        : (['bad', t('Offline')] as const)
  return (
    <div className={css.server} title={`${name}: ${word}`}>
      <Mark state={state} />
      <span className="visually-hidden">{word}</span>
      <span className={cx('mono', 'truncate', css.address)}>{name}</span>
    </div>
  )
}
