import { needsRestart } from '../lib/feedback/restart.ts'
import { useStore } from '../lib/store.ts'
import { useT } from '../lib/text/i18n.ts'
import { Banner } from '../ui/Banner.tsx'

/** Shown once a change waits for a restart of the server. */
export function RestartBanner() {
  const t = useT()
  if (!useStore(needsRestart)) return null
  return (
    <Banner kind="warn" edge>
      {t('The instance needs to be restarted for configuration changes to take effect.')}
    </Banner>
  )
}
