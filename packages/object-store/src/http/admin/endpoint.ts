import type { Call } from '../call.ts'
import type { PathParameters, Route } from './route-table.ts'

/** A call of the admin API: its route, the right it needs, and its handler. */
export interface AdminEndpoint extends Route {
  /** `ListUsers` */
  readonly name: string
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /**
   * Admin actions without their family, of which one is needed before anything is read. Where there are several, the
   * handler asks for the one that belongs to what the call does; undefined: it asks for all by itself.
   */
  readonly actions: readonly string[] | undefined
  handle(call: Call, parameters: Readonly<Record<string, string>>): void | Promise<void>
}

/** An endpoint whose path has placeholders; `handle` gets their decoded values by name. @public used by the next such endpoint */
export function adminEndpoint<const Path extends string>(
  endpoint: Omit<AdminEndpoint, 'path' | 'handle'> & {
    readonly path: Path
    handle(call: Call, parameters: PathParameters<Path>): void | Promise<void>
  },
): AdminEndpoint {
  // The route table has filled in every placeholder of the path, so the parameters have its names.
  return { ...endpoint, handle: (call, parameters) => endpoint.handle(call, parameters as PathParameters<Path>) }
}
