import { useT } from '../lib/i18n.ts'
import { needsRestart } from '../lib/restart.ts'
import { useStore } from '../lib/store.ts'
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
