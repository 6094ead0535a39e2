import { S3Error } from '../../errors.ts'
import type { AdminEndpoint } from './endpoint.ts'

/** Not supported: it would be a way to all files of the data folder, keys included. */
export const inspectDataEndpoints = (['GET', 'POST'] as const).map(
  (method): AdminEndpoint => ({
    name: 'InspectData',
    method,
    path: 'inspect-data',
    actions: ['InspectData'],
    handle() {
      throw new S3Error('NotImplemented', 'This server does not give out files of its drives.')
    },
  }),
)
