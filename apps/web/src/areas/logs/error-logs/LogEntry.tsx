import type { LogMessage } from '@stowage/contract'
import { useState } from 'react'
import { cx } from '../../../lib/cx.ts'
import { clockTime } from '../../../lib/text/clock-time.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { StatusIcon, type StatusIconState } from '../../../ui/icons/StatusIcon.tsx'
import { ObjectName } from '../../../ui/values/ObjectName.tsx'
import css from '../logs.module.css'
import { isHighlighted, logDetailLines, logLevel, logText } from './log-lines.ts'

const marks: Record<string, StatusIconState> = { FATAL: 'bad', ERROR: 'bad', WARNING: 'warn' }

/** A record of the log: one line, which can be expanded to all details. */
export function LogEntry({ message, highlight }: { message: LogMessage; highlight: string }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const level = logLevel(message)
  const details = logDetailLines(message)
  const line = (text: string) => (
    <span className={cx(css.text, isHighlighted(text, highlight) && css.found)}>
      <ObjectName name={text} />
    </span>
  )
  return (
    <>
      <div className={css.line}>
        <span className={cx('figures', css.time)}>{clockTime(message.at)}</span>
        <span className={css.level}>
          {level !== '' && (
            <StatusIcon state={marks[level] ?? 'off'}>
              <ObjectName name={level} />
            </StatusIcon>
          )}
        </span>
        {line(logText(message))}
        {details.length > 0 && (
          <button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t('Details')}
          </button>
        )}
      </div>
      {open && (
        <ul className={css.details}>
          {details.map((text, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one record never change their order
            <li key={i}>{line(text)}</li>
          ))}
        </ul>
      )}
    </>
  )
}
