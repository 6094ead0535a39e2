import { Page } from '../../ui/page/Page.tsx'
import { AccessKeys } from './AccessKeys.tsx'

/** The page with the service accounts of all users. */
export function AllAccessKeysPage() {
  return (
    <Page refresh={['listAccessKeys', 'listUsers']}>
      <AccessKeys all />
    </Page>
  )
}
