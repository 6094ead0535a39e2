import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api/query.ts'
import { pathTo, withSearch } from '../../lib/navigation/pages.ts'
import { Link } from '../controls/Link.tsx'

/** The ID of a request, as a link to its entries in the logs if the user may read them. */
export function RequestLink({ id, at }: { id: string; at: Date }) {
  // Reads the cached session only; without a session no request is made.
  const { data: session } = useQuery({ ...q('getSession', {}), enabled: false })
  if (!session?.pages.includes('/logs')) return id
  return <Link to={withSearch(pathTo('/logs/requests/$request', { request: id }), { at: at.toISOString() })}>{id}</Link>
}
