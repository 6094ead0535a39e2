import type { ReactNode } from 'react'
import { plainName } from '../../../../lib/text/visible-name.ts'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { ObjectName } from '../../../../ui/values/ObjectName.tsx'
import css from '../../styles/objects.module.css'

/** A name and its value in a list of facts. */
export function ObjectFact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd className="truncate">{children}</dd>
    </>
  )
}

/** A value with a copy button. */
export function CopyableFact({ label, text, note }: { label: string; text: string; note?: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd className={css.copied}>
        <code className="truncate" title={plainName(text)}>
          <ObjectName name={text} />
        </code>
        {note !== undefined && <span className="ink-3 small">{note}</span>}
        <CopyButton text={text} name={label} />
      </dd>
    </>
  )
}
