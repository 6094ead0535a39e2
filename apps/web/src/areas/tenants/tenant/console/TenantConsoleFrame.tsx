import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { asFailure, call } from '../../../../lib/api/api.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { QueryView } from '../../../../ui/feedback/QueryView.tsx'
import { EmptyState, SlowNotice } from '../../../../ui/feedback/states.tsx'
import css from '../../tenants.module.css'
import { FrameLock } from './frame-lock.ts'

interface TenantConsoleFrameProps {
  namespace: string
  tenant: string
  page: 'console' | 'metrics'
  title: string
}

/** A page of a tenant's own console, served from a separate origin. */
export function TenantConsoleFrame({ namespace, tenant, page, title }: TenantConsoleFrameProps) {
  const t = useT()
  const [insecure, setInsecure] = useState(false)
  const params = { namespace, tenant }
  const query = useQuery({
    queryKey: ['openTenantConsole', params, page, insecure],
    queryFn: async ({ signal }) => await call('openTenantConsole', { params, body: { page, insecure }, signal }),
    // The address can be used only once.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
  if (query.isError && asFailure(query.error).status === 409)
    return (
      <EmptyState
        title={t('The tenant has no TLS')}
        actions={<Button onClick={() => setInsecure(true)}>{t('Send the credentials unencrypted')}</Button>}
      >
        {t('To open its console, the credentials of the tenant are sent to it unencrypted, so others could read them.')}
      </EmptyState>
    )
  return (
    <QueryView query={query}>
      {({ url }) => <ConsoleFrame key={url} url={url} title={title} again={() => void query.refetch()} />}
    </QueryView>
  )
}

function ConsoleFrame({ url, title, again }: { url: string; title: string; again: () => void }) {
  const t = useT()
  const [state, setState] = useState<'waiting' | 'loading' | 'shown' | 'left'>('waiting')
  useEffect(() => {
    const lock = new FrameLock(new URL(url).origin, () => setState('left'))
    void lock.acquire().then(() => setState((now) => (now === 'waiting' ? 'loading' : now)))
    return () => lock.close()
  }, [url])
  if (state === 'left')
    return (
      <EmptyState
        title={t('Another tenant was opened')}
        actions={<Button onClick={again}>{t('Open it again')}</Button>}
      >
        {t('Only one console of a tenant is shown at a time, so that it cannot use the login of another tenant.')}
      </EmptyState>
    )
  return (
    <div className={css.framed}>
      {state !== 'shown' && (
        <div className={css.loader} role="status" aria-label={t('Loading...')}>
          <SlowNotice />
        </div>
      )}
      {state !== 'waiting' && (
        <iframe
          className={css.frame}
          title={title}
          src={url}
          sandbox="allow-scripts allow-same-origin allow-forms allow-downloads allow-modals"
          referrerPolicy="no-referrer"
          onLoad={() => setState('shown')}
        />
      )}
    </div>
  )
}
