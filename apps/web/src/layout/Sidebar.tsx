import { ActionIcon, Tooltip } from '@mantine/core'
import {
  IconArrowLeft,
  IconBook2,
  IconChevronDown,
  IconChevronRight,
  IconExternalLink,
  IconKeyboard,
  IconLayoutSidebar,
  IconLogout,
} from '@tabler/icons-react'
import { type ReactNode, type Ref, useState } from 'react'
import { useReachability } from '../lib/api/reachability.ts'
import { operatorAddress } from '../lib/base-path.ts'
import { cx } from '../lib/cx.ts'
import { fillPath, groupLabels, type MenuPage, menuPages, type PageGroup } from '../lib/navigation/pages.ts'
import { useShownPages } from '../lib/navigation/shown-pages.ts'
import { useSession } from '../lib/session/session.ts'
import { useT } from '../lib/text/i18n.ts'
import { Trans } from '../lib/text/Trans.tsx'
import { pages } from '../pages.ts'
import { Link } from '../ui/controls/Link.tsx'
import { Icon } from '../ui/icons/Icon.tsx'
import { Logo } from '../ui/icons/Logo.tsx'
import { StatusIcon } from '../ui/icons/StatusIcon.tsx'
import { askLogout } from './controls/ask-logout.ts'
import { LanguageButton } from './controls/LanguageButton.tsx'
import { documentationUrl } from './controls/shell-rules.ts'
import { shortcutsOpen } from './controls/shell-state.ts'
import css from './Sidebar.module.css'

const folding = ['user', 'admin', 'tools', 'operator'] as const

interface SidebarProps {
  onHide: () => void
  hideRef?: Ref<HTMLButtonElement>
}

export function Sidebar({ onHide, hideRef }: SidebarProps) {
  const t = useT()
  const session = useSession()
  const open = menuPages(pages, session)
  const shown = useShownPages()[0]
  const items = (group: PageGroup) =>
    open
      .filter((page) => page.group === group)
      .map((page) => <Item key={page.path} page={page} current={shown?.page === page || shown?.above.includes(page)} />)
  const hasTenants = session.pages.includes('/tenants')
  const terms = [...items('license'), <Documentation key="documentation" operator={session.operator} />]
  return (
    <div className={css.sidebar}>
      <div className={css.top}>
        <Link to="/" className={css.brand} aria-label={t('Start page')}>
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
        {session.tenant && <BackToOperator {...session.tenant} />}
        {items('top')}
        {folding.map((group) => (
          <Group key={group} label={t(groupLabels[group])}>
            {group === 'operator' && hasTenants ? [...items(group), ...terms] : items(group)}
          </Group>
        ))}
        {!hasTenants && (
          <>
            <div className={css.gap} />
            <section aria-label={t('License')}>{terms}</section>
          </>
        )}
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
          <ActionIcon aria-label={t('Logout')} onClick={askLogout}>
            <Icon of={IconLogout} />
          </ActionIcon>
        </Tooltip>
      </div>
    </div>
  )
}

/** A link from the screens of a tenant back to the operator's page. */
function BackToOperator({ namespace, name }: { namespace: string; name: string }) {
  const t = useT()
  return (
    <a className={css.item} href={operatorAddress(`/namespaces/${namespace}/tenants/${name}`)}>
      <Icon of={IconArrowLeft} />
      <span className="truncate">{t('Tenant {{name}}', { name })}</span>
    </a>
  )
}

/** The documentation of the storage servers, which is outside of the console. */
function Documentation({ operator }: { operator: boolean }) {
  const t = useT()
  return (
    <a className={css.item} href={documentationUrl(operator)} target="_blank" rel="noopener noreferrer">
      <Icon of={IconBook2} />
      <span className="grow">{t('Documentation')}</span>
      <Icon of={IconExternalLink} size={13} />
      <span className="visually-hidden">{t('opens in a new tab')}</span>
    </a>
  )
}

/** A collapsible group of the sidebar. Renders nothing if the session may see none of its pages. */
function Group({ label, children }: { label: string; children: ReactNode[] }) {
  const [open, setOpen] = useState(true)
  if (children.length === 0) return null
  return (
    <>
      <button type="button" className={css.group} aria-expanded={open} onClick={() => setOpen(!open)}>
        <span>{label}</span>
        <Icon of={open ? IconChevronDown : IconChevronRight} size={12} />
      </button>
      {open && children}
    </>
  )
}

function Item({ page: { path, icon, label }, current = false }: { page: MenuPage; current: boolean | undefined }) {
  const t = useT()
  return (
    <Link
      to={fillPath(path, {})}
      className={cx(css.item, current && css.current)}
      aria-current={current ? 'page' : undefined}
    >
      <Icon of={icon} />
      <span>{t(label)}</span>
    </Link>
  )
}

/** The name of the storage server, and whether it responds. */
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
      <StatusIcon state={state} />
      <span className="visually-hidden">{word}</span>
      <span className={cx('mono', 'truncate', css.address)}>{name}</span>
    </div>
  )
}
