import { Button } from '@mantine/core'
import { IconLayoutDashboard } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { asFailure, call } from '../../../../lib/api/api.ts'
import { consoleAddress } from '../../../../lib/base-path.ts'
import { confirm } from '../../../../lib/feedback/confirm.ts'
import { toast } from '../../../../lib/feedback/toast.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { whileBusy } from '../../../../ui/controls/while-busy.tsx'
import { Icon } from '../../../../ui/icons/Icon.tsx'

interface OpenTenantButtonProps {
  namespace: string
  tenant: string
  /** The page to open first, relative to the tenant's screens. */
  page?: string
}

/** A button that opens the console's own screens for a tenant, because the consoles of newer servers have no administration. */
export function OpenTenantButton({ namespace, tenant, page = '' }: OpenTenantButtonProps) {
  const t = useT()
  const open = async (insecure: boolean) => {
    const { path } = await call('openTenantHere', { params: { namespace, tenant }, body: { insecure } })
    location.assign(consoleAddress(`/${path}${page}`))
  }
  const { mutate, isPending } = useMutation({
    mutationFn: () => open(false),
    onError: (error) => {
      const failure = asFailure(error)
      if (failure.status !== 409) toast.failure(failure)
      else
        confirm({
          title: t('The tenant has no TLS'),
          subject: tenant,
          body: t('To open its screens, the credentials of the tenant are sent to it. On the way they could be read.'),
          action: t('Send the credentials unencrypted'),
          run: () => open(true),
        })
    },
  })
  return (
    <Button leftSection={<Icon of={IconLayoutDashboard} />} {...whileBusy(isPending)} onClick={() => mutate()}>
      {page === '' ? t('Open here') : t('Open the dashboard here')}
    </Button>
  )
}
