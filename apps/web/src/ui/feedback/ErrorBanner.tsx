import { asFailure } from '../../lib/api/api.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Banner } from './Banner.tsx'

/** Shows a failed call, above its content or in place of it. */
export function ErrorBanner({ error }: { error: unknown }) {
  const t = useT()
  const { errorMessage, detailedError } = asFailure(error)
  return (
    <Banner kind="bad" title={t('Error')} detail={detailedError}>
      {errorMessage}
    </Banner>
  )
}
