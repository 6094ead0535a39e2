import type { Call } from '../call.ts'

/** One call of the admin API: how it is recognized, what right it needs, what it does. */
export interface AdminEndpoint {
  /** `ListUsers` */
  readonly name: string
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** Below `/minio/admin/v3/`. */
  readonly path: string
  /** Query parameters that must be there, if only empty; a request without is of no known call. */
  readonly query?: readonly string[]
  /**
   * Admin actions without their family, of which one is needed before anything is read. Where there are several, the
   * handler asks for the one that belongs to what the call does; undefined: it asks for all by itself.
   */
  readonly actions: readonly string[] | undefined
  handle(call: Call): void | Promise<void>
}
