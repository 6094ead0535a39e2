import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { q, queryClient } from '../lib/api/query.ts'
import { recordUptimes, restartServer, restartState } from '../lib/changes/server-restart.ts'
import { useAdminInfo } from '../lib/data/admin-info.ts'
import { useStore } from '../lib/store.ts'
import { useT } from '../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../ui/controls/Disabled.tsx'
import { Banner } from '../ui/feedback/Banner.tsx'
import { ProgressBar } from '../ui/values/Gauge.tsx'
import css from './RestartBanner.module.css'

/** The banner for a change that takes effect only after a restart of the server. Shown until the server has restarted. */
export function RestartBanner() {
  const t = useT()
  const needs = useDisabledReason()
  const { due, running, failure } = useStore(restartState)
  if (running) {
    return (
      <Banner kind="info" edge>
        {t('The server is restarting.')}
        <div className={css.progress}>
          <ProgressBar share={undefined} label={t('The server is restarting.')} />
        </div>
      </Banner>
    )
  }
  if (due === undefined) return null
  return (
    <Banner
      kind="warn"
      edge
      {...(failure && { detail: [failure.errorMessage, failure.detailedError].filter(Boolean).join('\n') })}
      action={
        <Disabled reason={needs('admin:ServiceRestart')}>
          <Button size="xs" onClick={() => void restartServer()}>
            {t('Restart')}
          </Button>
        </Disabled>
      }
    >
      <FollowUptimes />
      {t('The instance needs to be restarted for configuration changes to take effect.')}
      {failure && ` ${t('The last attempt failed.')}`}
    </Banner>
  )
}

/** Polls the uptime of the servers to detect the restart. */
function FollowUptimes() {
  const info = useAdminInfo()
  useEffect(() => {
    const read = queryClient.getQueryState(q('getAdminInfo', {}).queryKey)
    if (info && read)
      recordUptimes(
        info.servers.map(({ uptime }) => uptime),
        read.dataUpdatedAt,
      )
  }, [info])
  return null
}
