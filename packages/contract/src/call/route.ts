import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

type Schema = z.ZodType

/** A call: its plain data, its summary, and the schemas of its input and output. */
export interface Route<
  E extends Endpoint = Endpoint,
  P extends Schema = Schema,
  Q extends Schema = Schema,
  B extends Schema = Schema,
  R extends Schema = Schema,
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
interface RouteDescription {
  summary: string
  params?: Schema
  query?: Schema
  body?: Schema
  response?: Schema
  repeats?: Readonly<Record<string, string>>
}

const emptyObject = z.object({})
const noBody = z.undefined()

type PartOrDefault<D, K extends keyof RouteDescription, Default> = D extends { [P in K]: infer S extends Schema }
  ? S
  : Default
type CompleteRoute<E extends Endpoint, D> = Route<
  E,
  PartOrDefault<D, 'params', typeof emptyObject>,
  PartOrDefault<D, 'query', typeof emptyObject>,
  PartOrDefault<D, 'body', typeof noBody>,
  PartOrDefault<D, 'response', typeof noBody>
>

/**
 * Joins the plain data of an area's calls with their descriptions, by name.
 * @param endpoints of the area; `descriptions` may cover only some of its calls
 */
export function routes<
  E extends Readonly<Record<string, Endpoint>>,
  D extends { [N in keyof E]?: RouteDescription } & { [N in Exclude<keyof D, keyof E>]: never },
>(endpoints: E, descriptions: D): { [N in keyof D & keyof E]: CompleteRoute<E[N], D[N]> } {
  const joined = Object.entries<RouteDescription>(descriptions as Record<string, RouteDescription>).map(
    ([name, description]) => {
      const { params = emptyObject, query = emptyObject, body = noBody, response = noBody, repeats = {} } = description
      const endpoint = endpoints[name] as Endpoint
      return [name, { endpoint, summary: description.summary, params, query, body, response, repeats } satisfies Route]
    },
  )
  // Object.fromEntries loses the type of each name.
  return Object.fromEntries(joined) as { [N in keyof D & keyof E]: CompleteRoute<E[N], D[N]> }
}

/** A list in a response. Servers written in Go send `null` for an empty one. */
export function listSchema<T extends Schema>(item: T) {
  return z
    .array(item)
    .nullish()
    .transform((items) => items ?? [])
}

/** A boolean in a query. As in the original console, any value but 1, t and true means false. */
export const booleanQuery = z
  .string()
  .optional()
  .transform((text) => text !== undefined && /^(1|t|true)$/i.test(text))
  .meta({ type: 'boolean' })
