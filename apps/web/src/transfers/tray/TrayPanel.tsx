import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import {
  IconChevronDown,
  IconChevronUp,
  IconDotsVertical,
  IconPlayerPause,
  IconPlayerPlay,
  IconRotate,
  IconX,
} from '@tabler/icons-react'
import { type Ref, useEffect, useRef, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { formatRate } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'
import { useSmallScreen } from '../../lib/use-small-screen.ts'
import { Icon } from '../../ui/icons/Icon.tsx'
import { StatusIcon } from '../../ui/icons/StatusIcon.tsx'
import { useFocusReturn } from '../../ui/keyboard/restore-focus.ts'
import { ProgressBar } from '../../ui/values/Gauge.tsx'
import type { Transfer } from '../list/types.ts'
import { transferUploads } from '../transfers.ts'
import { TrayList } from './TrayList.tsx'
import { cancelAllTransfers, clearEndedTransfers, idsByState, retryAllTransfers } from './transfer-actions.ts'
import type { TransferSummary } from './transfer-summary.ts'
import { summaryText, timeLeftText, uploadProgressText } from './transfer-texts.ts'
import css from './tray.module.css'

interface TrayProps {
  list: readonly Transfer[]
  summary: TransferSummary
}

/** The panel of transfers at the bottom right; on a small screen a bar at the bottom that expands. */
export function TrayPanel({ list, summary }: TrayProps) {
  const t = useT()
  const small = useSmallScreen()
  const [open, setOpen] = useState(!small)
  useFocusReturn()
  const { failed, asking } = summary
  // Expand if the user has to act. On a small screen the bar shows it.
  useEffect(() => {
    if (failed + asking > 0 && !small) setOpen(true)
  }, [failed, asking, small])
  return (
    <section
      className={cx(css.tray, !open && css.folded)}
      aria-label={t('Transfers')}
      data-portal
      data-tray={open ? 'open' : 'folded'}
    >
      <div className="visually-hidden" role="status">
        {summaryText(t, summary)}
      </div>
      {small ? (
        <TrayBar list={list} summary={summary} open={open} onFold={() => setOpen(!open)} />
      ) : (
        <TrayHead list={list} summary={summary} open={open} onFold={() => setOpen(!open)} />
      )}
      {open && <TrayList list={list} />}
    </section>
  )
}

interface HeadProps extends TrayProps {
  open: boolean
  onFold: () => void
}

function TrayHead({ list, summary, open, onFold }: HeadProps) {
  const t = useT()
  return (
    <header className={css.head}>
      <h2 className={css.title}>
        {t('Transfers')} <span className={css.counts}>{summaryText(t, summary)}</span>
      </h2>
      <span className={css.rate}>
        {summary.rate > 0 && formatRate(summary.rate)}
        {!open && summary.rate > 0 && <span className="ink-3"> {timeLeftText(summary.secondsLeft)}</span>}
      </span>
      <AllMenu list={list} />
      <FoldButton open={open} onFold={onFold} />
      {isAllDone(summary) && (
        <Tooltip label={t('Clear')}>
          <ActionIcon aria-label={t('Clear transfers')} onClick={() => clearEndedTransfers(list)}>
            <Icon of={IconX} />
          </ActionIcon>
        </Tooltip>
      )}
    </header>
  )
}

/** The bar on a small screen: the most important state first, and the button for it. */
function TrayBar({ list, summary, open, onFold }: HeadProps) {
  const t = useT()
  const { failed, asking, running, sent, size, rate } = summary
  const fold = useRef<HTMLButtonElement>(null)
  const retry = () => {
    // The pressed button disappears.
    fold.current?.focus()
    retryAllTransfers(list)
  }
  const state = failed > 0 ? 'bad' : asking > 0 ? 'warn' : running > 0 ? 'run' : isAllDone(summary) ? 'ok' : 'off'
  return (
    <header className={css.mobile}>
      {running > 0 && <ProgressBar share={size > 0 ? sent / size : undefined} label={t('All transfers')} />}
      <div className={css.mobileRow}>
        <div className="grow">
          <h2 className={css.mobileTitle}>
            <StatusIcon state={state}>{summaryText(t, summary, true)}</StatusIcon>
          </h2>
          {size > 0 && <div className={css.mobileFacts}>{uploadProgressText(t, sent, size, rate)}</div>}
        </div>
        {failed > 0 && (
          <Button size="lg" leftSection={<Icon of={IconRotate} />} onClick={retry}>
            {t('Retry')}
          </Button>
        )}
        {isAllDone(summary) ? (
          <ActionIcon size={44} aria-label={t('Clear transfers')} onClick={() => clearEndedTransfers(list)}>
            <Icon of={IconX} />
          </ActionIcon>
        ) : (
          open && <AllMenu list={list} size={44} />
        )}
        <FoldButton ref={fold} open={open} onFold={onFold} size={44} />
      </div>
    </header>
  )
}

interface FoldButtonProps {
  open: boolean
  onFold: () => void
  size?: number
  ref?: Ref<HTMLButtonElement>
}

function FoldButton({ open, onFold, size = 28, ref }: FoldButtonProps) {
  const t = useT()
  const label = open ? t('Collapse transfers') : t('Expand transfers')
  return (
    <Tooltip label={label}>
      <ActionIcon ref={ref} size={size} aria-label={label} aria-expanded={open} onClick={onFold}>
        <Icon of={open ? IconChevronDown : IconChevronUp} />
      </ActionIcon>
    </Tooltip>
  )
}

/** A menu of actions for all transfers, limited to those that have an effect now. */
function AllMenu({ list, size = 28 }: { list: readonly Transfer[]; size?: number }) {
  const t = useT()
  const going = idsByState(list, 'running', 'waiting')
  const paused = idsByState(list, 'paused')
  const failed = idsByState(list, 'failed')
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon size={size} aria-label={t('All transfers')}>
          <Icon of={IconDotsVertical} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {going.length > 0 && (
          <Menu.Item leftSection={<Icon of={IconPlayerPause} />} onClick={() => transferUploads.pause(going)}>
            {t('Pause all')}
          </Menu.Item>
        )}
        {paused.length > 0 && (
          <Menu.Item leftSection={<Icon of={IconPlayerPlay} />} onClick={() => transferUploads.resume(paused)}>
            {t('Resume all')}
          </Menu.Item>
        )}
        {failed.length > 0 && (
          <Menu.Item leftSection={<Icon of={IconRotate} />} onClick={() => retryAllTransfers(list)}>
            {t('Retry all')}
          </Menu.Item>
        )}
        {idsByState(list, 'done').length > 0 && (
          <Menu.Item onClick={() => clearEndedTransfers(list)}>{t('Clear finished')}</Menu.Item>
        )}
        <Menu.Item color="red" leftSection={<Icon of={IconX} />} onClick={() => cancelAllTransfers(list)}>
          {t('Cancel all')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const isAllDone = ({ running, waiting, paused, failed, asking }: TransferSummary) =>
  running + waiting + paused + failed + asking === 0
