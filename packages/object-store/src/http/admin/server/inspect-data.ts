import { S3Error } from '../../../lib/errors.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'

/** Not supported: it would give access to all files of the data folder, including keys. */
export const adminInspectDataEndpoints = (['GET', 'POST'] as const).map(
  (method): AdminEndpoint => ({
    name: 'InspectData',
    method,
    path: 'inspect-data',
    handle() {
      throw new S3Error('NotImplemented', 'This server does not give out files of its drives.')
    },
  }),
)
