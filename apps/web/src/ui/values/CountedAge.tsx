import { useT } from '../../lib/text/i18n.ts'
import { Trans } from '../../lib/text/Trans.tsx'
import { Age } from './Time.tsx'

/**
 * The age of figures that the server counts in the background. Renders nothing if the figures are exact (`at` is undefined).
 */
export function CountedAge({ at, className }: { at: string | null | undefined; className?: string | undefined }) {
  const t = useT()
  if (at === undefined) return null
  return (
    <span className={className}>
      {at === null ? t('not counted yet') : <Trans text="counted <age/>" parts={{ age: <Age at={at} /> }} />}
    </span>
  )
}
