import css from '../../tenants.module.css'

interface FactListProps {
  /** Name of the list, where no heading names it. */
  label?: string
  rows: readonly (readonly [label: string, value: string])[]
}

/** Pairs of a label and a value. */
export function FactList({ label, rows }: FactListProps) {
  return (
    <dl className={css.facts} {...(label === undefined ? {} : { 'aria-label': label })}>
      {rows.map(([name, value]) => (
        <div key={name} className={css.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
