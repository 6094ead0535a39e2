import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asFailure } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { invalidate, q } from '../../lib/query.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Page } from '../../ui/Page.tsx'
import { Rich } from '../../ui/Rich.tsx'
import { ErrorState, SlowNotice, useLate } from '../../ui/states.tsx'
import { Time } from '../../ui/Time.tsx'
import css from './dashboard.module.css'
import { UsageView } from './UsageView.tsx'

/** How often the figures are read again while somebody looks, ms. */
const EVERY = 10_000

/** What is stored, and how servers and drives are. */
export function Component() {
  const t = useT()
  const { data, error, isPending, dataUpdatedAt } = useQuery({ ...q('getAdminInfo', {}), refetchInterval: EVERY })
  const [syncing, setSyncing] = useState(false)
  const late = useLate(isPending)
  const busy = useLate(syncing)

  const sync = async () => {
    setSyncing(true)
    await invalidate('getAdminInfo').finally(() => setSyncing(false))
  }
  const retry = () => void sync()

  return (
    <Page
      title={t('Dashboard')}
      crumbs={[{ label: t('Dashboard') }]}
      actions={
        <Button leftSection={<Icon of={IconRefresh} />} loading={busy} onClick={retry}>
          {t('Sync')}
        </Button>
      }
    >
      <div className={css.scroll}>
        {data && error && (
          <Banner
            kind="warn"
            edge
            detail={asFailure(error).detailedError}
            action={
              <Button size="xs" onClick={retry}>
                {t('Retry')}
              </Button>
            }
          >
            <Rich
              text="{{failure}} These figures are of {{time}}."
              parts={{
                failure: sentence(asFailure(error).errorMessage),
                time: <Time at={dataUpdatedAt / 1000} exact />,
              }}
            />
          </Banner>
        )}
        {data ? (
          <UsageView info={data} />
        ) : error ? (
          <ErrorState error={error} onRetry={retry} needs={{ action: 'admin:ServerInfo' }} />
        ) : (
          late && <SlowNotice />
        )}
      </div>
    </Page>
  )
}

/** Messages of servers end with a full stop or without. */
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
