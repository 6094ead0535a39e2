import { Page } from '../../ui/Page.tsx'
import { Sections } from '../../ui/Sections.tsx'

/** The page with the volumes of tenants, and the local drives. */
export function StoragePage() {
  return (
    <Page refresh={['listVolumes', 'listDrives', 'listFormerTenants']}>
      <Sections />
    </Page>
  )
}
