import { useSearchParam } from '../../../lib/navigation/navigate.ts'
import { Page } from '../../../ui/page/Page.tsx'
import { RequestTimeline } from './RequestTimeline.tsx'

/** The page of one request, linked from the request ID of an error. */
export function RequestPage({ request }: { request: string }) {
  const [at] = useSearchParam('at')
  return (
    <Page title={request} refresh={['followRequest']}>
      <RequestTimeline requestId={request} {...(at === undefined ? {} : { at })} />
    </Page>
  )
}
