import { Page } from '../../ui/Page.tsx'
import { Sections } from '../../ui/Sections.tsx'

/** The volumes of tenants, and the drives below them. */
export function StoragePage() {
  return (
    <Page refresh={['listVolumes', 'listDrives']}>
      <Sections />
    </Page>
  )
}
