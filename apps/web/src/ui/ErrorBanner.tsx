import { asFailure } from '../lib/api/api.ts'
import { useT } from '../lib/text/i18n.ts'
import { Banner } from './Banner.tsx'

/** A failed call, in place of what it would have shown or above it. */
export function ErrorBanner({ error }: { error: unknown }) {
  const t = useT()
  const { errorMessage, detailedError } = asFailure(error)
  return (
    <Banner kind="bad" title={t('Error')} detail={detailedError}>
      {errorMessage}
    </Banner>
  )
}
