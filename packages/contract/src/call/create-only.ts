import { z } from 'zod'

/** A body field of calls that write something `new`; see `Endpoint.writes`. */
export const createOnly = {
  /** If what the call would create exists already, the response is 409 and nothing is changed. */
  create_only: z.boolean().optional(),
}
