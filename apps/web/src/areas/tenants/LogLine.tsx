import css from './log.module.css'

/** Codes for terminals: colours, and what moves the cursor. */
const CODES = /\u001b\[[0-9;?]*[A-Za-z]/g

/** A line without codes for terminals. */
export const plainText = (line: string) => line.replace(CODES, '')

interface LogLineProps {
  pod?: string
  line: string
  /** Lines with this text stand out; empty: none. */
  marked: string
}

/** One line of a log, with the pod that wrote it where there are several. */
export function LogLine({ pod, line, marked }: LogLineProps) {
  const text = plainText(line)
  const isMarked = marked !== '' && text.toLowerCase().includes(marked.toLowerCase())
  return (
    <div className={css.line} data-marked={isMarked || undefined}>
      {pod !== undefined && <span className={css.pod}>{pod}</span>}
      <span className={css.text}>{text === '' ? '\u00a0' : text}</span>
    </div>
  )
}
