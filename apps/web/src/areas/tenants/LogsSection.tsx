import { useEffect } from 'react'
import { useLiveStream } from '../../ui/live/use-live-stream.ts'
import { FollowedLog } from './FollowedLog.tsx'

/** The live logs of all pods of a tenant. */
export function LogsSection({ namespace, tenant }: { namespace: string; tenant: string }) {
  const params = { namespace, tenant }
  const { stream, view } = useLiveStream('followTenantLog', () => ({ params, query: {} }))
  useEffect(() => stream.start(), [stream])
  return <FollowedLog stream={stream} view={view} lineOf={(message) => message} file={`${tenant}-log`} />
}
