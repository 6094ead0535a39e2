import { useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'
import { pathTo, withSearch } from '../lib/navigation/pages.ts'
import { Link } from './Link.tsx'

/** The ID of a request; a link to what happened to it, for those who may read the logs. */
export function RequestLink({ id, at }: { id: string; at: Date }) {
  // Known already; where nobody is signed in, nothing is asked.
  const { data: session } = useQuery({ ...q('getSession', {}), enabled: false })
  if (!session?.pages.includes('/logs')) return id
  return <Link to={withSearch(pathTo('/logs/requests/$request', { request: id }), { at: at.toISOString() })}>{id}</Link>
}
