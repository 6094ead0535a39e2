import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { invalidate, q } from '../../lib/api/query.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Page } from '../../ui/Page.tsx'
import { StaleNotice } from '../../ui/StaleNotice.tsx'
import { ErrorState, SlowNotice, useLate } from '../../ui/states.tsx'
import { whileBusy } from '../../ui/while-busy.tsx'
import css from './dashboard.module.css'
import { UsageView } from './UsageView.tsx'

/** How often the figures are read again while somebody looks, ms. */
const EVERY = 10_000

/** What is stored, and how servers and drives are. */
export function DashboardPage() {
  const t = useT()
  const { data, error, isPending, dataUpdatedAt } = useQuery({ ...q('getAdminInfo', {}), refetchInterval: EVERY })
  const [syncing, setSyncing] = useState(false)
  const late = useLate(isPending)
  const busy = useLate(syncing)

  const sync = async () => {
    setSyncing(true)
    await invalidate('getAdminInfo').finally(() => setSyncing(false))
  }

  return (
    <Page
      actions={
        <Button leftSection={<Icon of={IconRefresh} />} {...whileBusy(busy)} onClick={() => void sync()}>
          {t('Sync')}
        </Button>
      }
    >
      <div className={css.scroll}>
        {data && error && <StaleNotice error={error} readAt={dataUpdatedAt} onRetry={sync} />}
        {data ? (
          <UsageView info={data} />
        ) : error ? (
          <ErrorState error={error} onRetry={sync} needs={{ action: 'admin:ServerInfo' }} />
        ) : (
          late && <SlowNotice />
        )}
      </div>
    </Page>
  )
}
