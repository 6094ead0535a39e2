import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

type Shape = z.ZodType

/** A call: its plain data and the schemas of what goes in and comes out. */
export interface Route<
  E extends Endpoint = Endpoint,
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
  R extends Shape = Shape,
> {
  endpoint: E
  params: P
  query: Q
  body: B
  response: R
}

const nothing = z.object({})

/** Joins a call's plain data with its schemas; what is left out is "nothing in" and "anything out". */
export function route<
  E extends Endpoint,
  P extends Shape = typeof nothing,
  Q extends Shape = typeof nothing,
  B extends Shape = z.ZodUndefined,
  R extends Shape = z.ZodUndefined,
>(endpoint: E, schemas: { params?: P; query?: Q; body?: B; response?: R } = {}): Route<E, P, Q, B, R> {
  return {
    endpoint,
    params: (schemas.params ?? nothing) as P,
    query: (schemas.query ?? nothing) as Q,
    body: (schemas.body ?? z.undefined()) as B,
    response: (schemas.response ?? z.undefined()) as R,
  }
}

/** A list in an answer. Servers written in Go send `null` for an empty one. */
export function list<T extends Shape>(item: T) {
  return z
    .array(item)
    .nullish()
    .transform((items) => items ?? [])
}

/** A yes or no in a query. As the original reads it: what is not a clear yes counts as no. */
export const flag = z
  .string()
  .optional()
  .transform((text) => text !== undefined && /^(1|t|true)$/i.test(text))
  .meta({ type: 'boolean' })
