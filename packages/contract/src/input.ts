import type { Operation } from './endpoints.ts'
import type { Contract } from './schemas.ts'

type Part<O extends Operation, K extends 'params' | 'query' | 'body'> = Contract[O][K]['_zod']['input']
/** Omits a part that a call does not have: the type of an empty object has `string` as its key type. */
type Has<T, K extends string, Then> = string extends keyof T ? { [P in K]?: never } : Then
/** The input of a call, without the parts that it does not have. */
export type Input<O extends Operation> = Has<Part<O, 'params'>, 'params', { params: Part<O, 'params'> }> &
  Has<
    Part<O, 'query'>,
    'query',
    object extends Part<O, 'query'> ? { query?: Part<O, 'query'> } : { query: Part<O, 'query'> }
  > &
  (undefined extends Part<O, 'body'> ? { body?: Part<O, 'body'> | BodyInit } : { body: Part<O, 'body'> })
/** The result of a call. */
export type Output<O extends Operation> = Contract[O]['response']['_zod']['output']
