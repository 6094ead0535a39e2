import type { AdminOperationName, KmsOperationName } from '@stowage/iam-policy'
import type { StoreCall } from '../../call/call.ts'
import type { AdminRoute, PathParameters } from './route-table.ts'

/** A call of the admin API: its route and its handler. Its rights are in `ADMIN_OPERATIONS` or `KMS_OPERATIONS` of the policy package. */
export interface AdminEndpoint extends AdminRoute {
  /** `ListUsers` */
  readonly name: AdminOperationName | KmsOperationName
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  handle(call: StoreCall, parameters: Readonly<Record<string, string>>): void | Promise<void>
}

/** Defines an endpoint with placeholders in its path; `handle` gets their decoded values by name. @public for new endpoints */
export function adminEndpoint<const Path extends string>(
  endpoint: Omit<AdminEndpoint, 'path' | 'handle'> & {
    readonly path: Path
    handle(call: StoreCall, parameters: PathParameters<Path>): void | Promise<void>
  },
): AdminEndpoint {
  // The route table has filled in every placeholder of the path, so the parameters have its names.
  return { ...endpoint, handle: (call, parameters) => endpoint.handle(call, parameters as PathParameters<Path>) }
}
