import { Fragment } from 'react'
import { useT } from '../../lib/text/i18n.ts'
import { CopyButton } from '../controls/CopyButton.tsx'
import { ObjectName } from '../values/ObjectName.tsx'
import { DrawerSection } from './Drawer.tsx'
import css from './RecordFacts.module.css'

/** Names and values of a record. Facts without a value are omitted. */
export function RecordFacts({ facts, mono }: { facts: readonly (readonly [string, string])[]; mono?: boolean }) {
  return (
    <dl className={css.facts}>
      {facts
        .filter(([, value]) => value !== '')
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className={mono ? 'mono' : undefined}>
              <ObjectName name={value} />
            </dd>
          </div>
        ))}
    </dl>
  )
}

/** The whole record as JSON, with a copy button. */
export function RawRecord({ record }: { record: object }) {
  const t = useT()
  const json = JSON.stringify(record, null, 2)
  return (
    <DrawerSection label={t('Raw')} action={<CopyButton text={json} name={t('record')} />}>
      <JsonLines json={json} />
    </DrawerSection>
  )
}

/** A part of a record. Texts that are JSON documents, such as policies, are shown as such. */
export function RecordPart({ label, part }: { label: string; part: object }) {
  const json = JSON.stringify(
    part,
    (_name, value: unknown) => (typeof value === 'string' ? parseJsonText(value) : value),
    2,
  )
  return (
    <DrawerSection label={label}>
      <JsonLines json={json} />
    </DrawerSection>
  )
}

function parseJsonText(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    // It only looks like JSON.
    return text
  }
}

/** JSON with its lines; control and bidi characters in them are made visible. */
export function JsonLines({ json }: { json: string }) {
  return (
    <pre className={css.raw}>
      {json.split('\n').map((line, i) => (
        // The ends and beginnings of lines are not from the record.
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one record never change their order
        <Fragment key={i}>
          {i > 0 && '\n'}
          {/^ */.exec(line)?.[0]}
          <ObjectName name={line.trimStart()} />
        </Fragment>
      ))}
    </pre>
  )
}

/** The heading of a drawer that shows a record. */
export function RecordTitle({ children }: { children: string }) {
  return (
    <h2 className={css.title}>
      <ObjectName name={children} />
    </h2>
  )
}
