import { formatBytes, formatCount, formatSizeParts } from '../../lib/text/format.ts'
import css from './Size.module.css'

/** A size in bytes. The unit has its own column, so that figures align. The tooltip shows the exact number of bytes. */
export function Size({ bytes }: { bytes: number }) {
  const { value, unit } = formatSizeParts(bytes)
  return (
    <span className={css.quantity} title={formatBytes(bytes)}>
      {value}
      <span className={css.unit}> {unit}</span>
    </span>
  )
}

/** The large figure of a cell. */
export function BigFigure({ value, unit, tight }: { value: string; unit?: string; tight?: boolean }) {
  return (
    <div className={css.big}>
      {value}
      {unit !== undefined && <span className={tight ? css.tightUnit : css.bigUnit}>{unit}</span>}
    </div>
  )
}

/** A count with thousands separators. */
export function Count({ of }: { of: number }) {
  return <span className="figures">{formatCount(of)}</span>
}
