import type { Operation } from './endpoints.ts'
import type { Contract } from './schemas.ts'

type RoutePart<O extends Operation, K extends 'params' | 'query' | 'body'> = Contract[O][K]['_zod']['input']
/** Omits a part that a call does not have: the type of an empty object has `string` as its key type. */
type HasPart<T, K extends string, Then> = string extends keyof T ? { [P in K]?: never } : Then
/** The input of a call, without the parts that it does not have. */
export type Input<O extends Operation> = HasPart<RoutePart<O, 'params'>, 'params', { params: RoutePart<O, 'params'> }> &
  HasPart<
    RoutePart<O, 'query'>,
    'query',
    object extends RoutePart<O, 'query'> ? { query?: RoutePart<O, 'query'> } : { query: RoutePart<O, 'query'> }
  > &
  (undefined extends RoutePart<O, 'body'> ? { body?: RoutePart<O, 'body'> | BodyInit } : { body: RoutePart<O, 'body'> })
/** The result of a call. */
export type Output<O extends Operation> = Contract[O]['response']['_zod']['output']
