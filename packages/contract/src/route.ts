import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

type Shape = z.ZodType

/** A call: its plain data, its summary, and the schemas of what goes in and comes out. */
export interface Route<
  E extends Endpoint = Endpoint,
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
  R extends Shape = Shape,
> {
  endpoint: E
  /** One line for the API page. */
  summary: string
  params: P
  query: Q
  body: B
  response: R
  /**
   * Body field → the path or query parameter whose value it repeats. The server refuses a body that contradicts its
   * address; a body field with the name of a path parameter repeats that one, and need not be listed.
   */
  repeats: Readonly<Record<string, string>>
}

/** A call's second half as its area writes it down. What is left out is "nothing in" and "nothing out". */
interface Description {
  summary: string
  params?: Shape
  query?: Shape
  body?: Shape
  response?: Shape
  repeats?: Readonly<Record<string, string>>
}

const nothing = z.object({})
const absent = z.undefined()

type Or<D, K extends keyof Description, Default> = D extends { [P in K]: infer S extends Shape } ? S : Default
type RouteOf<E extends Endpoint, D> = Route<
  E,
  Or<D, 'params', typeof nothing>,
  Or<D, 'query', typeof nothing>,
  Or<D, 'body', typeof absent>,
  Or<D, 'response', typeof absent>
>

/**
 * Joins the plain data of an area's calls with their descriptions, by name.
 * @param endpoints of the area; the descriptions may be those of some of its calls
 */
export function routes<
  E extends Readonly<Record<string, Endpoint>>,
  D extends { [N in keyof E]?: Description } & { [N in Exclude<keyof D, keyof E>]: never },
>(endpoints: E, descriptions: D): { [N in keyof D & keyof E]: RouteOf<E[N], D[N]> } {
  const joined = Object.entries<Description>(descriptions as Record<string, Description>).map(([name, description]) => {
    const { params = nothing, query = nothing, body = absent, response = absent, repeats = {} } = description
    const endpoint = endpoints[name] as Endpoint
    return [name, { endpoint, summary: description.summary, params, query, body, response, repeats } satisfies Route]
  })
  // Object.fromEntries forgets which name has which type.
  return Object.fromEntries(joined) as { [N in keyof D & keyof E]: RouteOf<E[N], D[N]> }
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
