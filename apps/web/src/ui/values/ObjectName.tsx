import { Fragment } from 'react'
import { visibleNameParts } from '../../lib/text/visible-name.ts'
import css from './ObjectName.module.css'

/**
 * An object name, isolated in its own text direction. Bidirectional, control and invisible characters are shown as their code.
 */
export function ObjectName({ name }: { name: string }) {
  return (
    <bdi>
      {visibleNameParts(name).map((part, i) => (
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
