import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/api/api.ts'
import { q } from '../../../lib/api/query.ts'
import { toast } from '../../../lib/feedback/toast.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { draftFromTenant } from './draft/draft-from-tenant.ts'
import type { TenantDraft } from './draft/tenant-draft.ts'

/** Fills in the draft from another tenant; renders nothing if there are no tenants. */
export function StartFromTenant({ onStart }: { onStart: (draft: TenantDraft) => void }) {
  const t = useT()
  const { data } = useQuery({ ...q('listTenants', { query: {} }), retry: false })
  const [chosen, setChosen] = useState('')
  const tenants = data?.tenants ?? []
  if (tenants.length === 0) return null
  const start = async (path: string) => {
    setChosen(path)
    const [namespace, tenant] = path.split('/')
    if (!namespace || !tenant) return
    try {
      onStart(draftFromTenant(await call('getTenant', { params: { namespace, tenant } })))
    } catch (error) {
      setChosen('')
      toast.failure(error)
    }
  }
  return (
    <NativeSelect
      label={t('Start from')}
      description={t('All steps are filled in as in that tenant. Names, keys and certificates are not copied.')}
      data={[
        { value: '', label: t('The defaults') },
        ...tenants.map(({ namespace, name }) => ({ value: `${namespace}/${name}`, label: `${namespace}/${name}` })),
      ]}
      value={chosen}
      onChange={(event) => void start(event.currentTarget.value)}
    />
  )
}
