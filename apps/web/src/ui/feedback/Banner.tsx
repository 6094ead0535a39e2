import { ActionIcon } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle, IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Icon } from '../icons/Icon.tsx'
import css from './Banner.module.css'

interface BannerProps {
  kind: 'bad' | 'warn' | 'info'
  title?: ReactNode
  children: ReactNode
  /** Hidden until the user presses "Details". */
  detail?: string
  /** A button on the right. */
  action?: ReactNode
  onClose?: () => void
  /** Draws a full-width strip instead of a box. */
  edge?: boolean
}

/** A message that stays until its cause is resolved: a failed sign-in, a required restart, an offline drive. */
export function Banner({ kind, title, children, detail = '', action, onClose, edge }: BannerProps) {
  const t = useT()
  return (
    <div className={cx(css.banner, css[kind], edge && css.edge)} role={kind === 'bad' ? 'alert' : 'status'}>
      <Icon of={kind === 'info' ? IconInfoCircle : IconAlertTriangle} className={css.sign ?? ''} />
      <div className="grow">
        {title !== undefined && <div className={css.title}>{title}</div>}
        <div className={title === undefined ? undefined : 'ink-2'}>
          {children} {detail !== '' && <TechnicalDetails text={detail} />}
        </div>
      </div>
      {action && <div className={css.action}>{action}</div>}
      {onClose && (
        <ActionIcon aria-label={t('Close')} onClick={onClose}>
          <Icon of={IconX} />
        </ActionIcon>
      )}
    </div>
  )
}

/** Technical details behind a "Details" button. */
export function TechnicalDetails({ text }: { text: string }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t('Details')}
      </button>
      {open && <div className={css.detail}>{text}</div>}
    </>
  )
}
