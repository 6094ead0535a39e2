import { Fragment } from 'react'
import { splitName } from '../lib/text/visible-name.ts'
import css from './ObjectName.module.css'

/** A name as stored, in its own direction; bidi, control and invisible characters show as small tags with their code. */
export function ObjectName({ name }: { name: string }) {
  return (
    <bdi>
      {splitName(name).map((part, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one name never change their order
        <Fragment key={i}>
          {part.code === undefined ? (
            part.text
          ) : (
            <span className={css.tag} title={part.title}>
              {part.code}
            </span>
          )}
        </Fragment>
      ))}
    </bdi>
  )
}
