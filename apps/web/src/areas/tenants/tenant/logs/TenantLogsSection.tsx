import { useEffect } from 'react'
import { useLiveStream } from '../../../../ui/live/use-live-stream.ts'
import { LiveLog } from './LiveLog.tsx'

/** The live logs of all pods of a tenant. */
export function TenantLogsSection({ namespace, tenant }: { namespace: string; tenant: string }) {
  const params = { namespace, tenant }
  const { stream, view } = useLiveStream('followTenantLog', () => ({ params, query: {} }))
  useEffect(() => stream.start(), [stream])
  return <LiveLog stream={stream} view={view} toLine={(message) => message} file={`${tenant}-log`} />
}
