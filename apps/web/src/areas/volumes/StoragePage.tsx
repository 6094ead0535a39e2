import { Page } from '../../ui/page/Page.tsx'
import { Sections } from '../../ui/page/Sections.tsx'

/** The page with the volumes of tenants, and the local drives. */
export function StoragePage() {
  return (
    <Page refresh={['listVolumes', 'listDrives', 'listFormerTenants']}>
      <Sections />
    </Page>
  )
}
