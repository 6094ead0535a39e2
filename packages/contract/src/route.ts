import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

type Shape = z.ZodType

/** A call: its plain data, its summary, and the schemas of its input and output. */
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
   * Maps body fields to the path or query parameter whose value they repeat. The server rejects a body that contradicts its
   * address. A body field with the name of a path parameter need not be listed.
   */
  repeats: Readonly<Record<string, string>>
}

/** The summary and schemas of a call as declared in its area. Absent parts are empty. */
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
 * @param endpoints of the area; `descriptions` may cover only some of its calls
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
  // Object.fromEntries loses the type of each name.
  return Object.fromEntries(joined) as { [N in keyof D & keyof E]: RouteOf<E[N], D[N]> }
}

/** A list in a response. Servers written in Go send `null` for an empty one. */
export function list<T extends Shape>(item: T) {
  return z
    .array(item)
    .nullish()
    .transform((items) => items ?? [])
}

/** A boolean in a query. As in the original console, any value but 1, t and true means false. */
export const flag = z
  .string()
  .optional()
  .transform((text) => text !== undefined && /^(1|t|true)$/i.test(text))
  .meta({ type: 'boolean' })
