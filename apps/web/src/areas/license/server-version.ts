import { q } from '../../lib/api/query.ts'

/** The query for the version of the connected server, which needs a right. */
export const serverVersionQuery = { ...q('getAdminInfo', { query: { defaultOnly: 'true' } }), retry: false } as const
