import css from './log.module.css'

/** Terminal escape codes: colours and cursor movements. */
const CODES = /\u001b\[[0-9;?]*[A-Za-z]/g

/** Removes terminal escape codes from a line. */
export const stripEscapeCodes = (line: string) => line.replace(CODES, '')

interface LogLineTextProps {
  pod?: string
  line: string
  /** The text to highlight; empty for none. */
  marked: string
}

/** A line of a log, with its pod if there are several. */
export function LogLineText({ pod, line, marked }: LogLineTextProps) {
  const text = stripEscapeCodes(line)
  const isMarked = marked !== '' && text.toLowerCase().includes(marked.toLowerCase())
  return (
    <div className={css.line} data-marked={isMarked || undefined}>
      {pod !== undefined && <span className={css.pod}>{pod}</span>}
      <span className={css.text}>{text === '' ? '\u00a0' : text}</span>
    </div>
  )
}
