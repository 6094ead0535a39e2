import { Page } from '../../ui/Page.tsx'
import { AccessKeys } from './AccessKeys.tsx'

/** The service accounts of all users, with their owners. */
export function AllAccessKeysPage() {
  return (
    <Page refresh={['listAccessKeys', 'listUsers']}>
      <AccessKeys all />
    </Page>
  )
}
