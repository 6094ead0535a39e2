import { Page } from '../../ui/page/Page.tsx'
import { Sections } from '../../ui/page/Sections.tsx'

/** The settings of the storage server, in three sections. */
export function SettingsPage() {
  return (
    <Page
      refresh={[
        'listConfigs',
        'getConfig',
        'listNotificationEndpoints',
        'listTiers',
        'listTierStates',
        'listConfigHistory',
      ]}
    >
      <Sections />
    </Page>
  )
}
