import { useT } from '../lib/text/i18n.ts'
import { Trans } from '../lib/text/Trans.tsx'
import { Age } from './Time.tsx'

/** How old figures are that the server counts in the background. Nothing where they are exact: `at` is undefined. */
export function Counted({ at, className }: { at: string | null | undefined; className?: string | undefined }) {
  const t = useT()
  if (at === undefined) return null
  return (
    <span className={className}>
      {at === null ? t('not counted yet') : <Trans text="counted <age/>" parts={{ age: <Age at={at} /> }} />}
    </span>
  )
}
