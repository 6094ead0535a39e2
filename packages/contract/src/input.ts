import type { Operation } from './endpoints.ts'
import type { Contract } from './schemas.ts'

type Part<O extends Operation, K extends 'params' | 'query' | 'body'> = Contract[O][K]['_zod']['input']
/** An empty object's type has every string as its key: that is how a part which a call does not have is known. */
type Has<T, K extends string, Then> = string extends keyof T ? { [P in K]?: never } : Then
/** What a caller hands in; a part that a call does not have is left out. */
export type Input<O extends Operation> = Has<Part<O, 'params'>, 'params', { params: Part<O, 'params'> }> &
  Has<
    Part<O, 'query'>,
    'query',
    object extends Part<O, 'query'> ? { query?: Part<O, 'query'> } : { query: Part<O, 'query'> }
  > &
  (undefined extends Part<O, 'body'> ? { body?: Part<O, 'body'> | BodyInit } : { body: Part<O, 'body'> })
/** What a caller gets. */
export type Output<O extends Operation> = Contract[O]['response']['_zod']['output']
