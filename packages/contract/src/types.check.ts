import { defineEndpoints, joinEndpoints } from './call/endpoint.ts'
import { routes } from './call/route.ts'
import type { Input, Output, ReadOperation } from './index.ts'

// Compile-time examples of input that tsc must accept or reject.
export const acceptedInputs: [Input<'login'>, Input<'listBuckets'>, Input<'listObjects'>, Input<'getBucket'>] = [
  { body: { accessKey: 'a', secretKey: 'b' } },
  {},
  { params: { bucket: 'b' }, query: { limit: 5 } },
  { params: { bucket: 'b' } },
]
// @ts-expect-error the body is required
export const inputWithoutBody: Input<'login'> = {}
// @ts-expect-error no such parameter
export const inputWithWrongParam: Input<'getBucket'> = { params: { name: 'b' } }
// @ts-expect-error a query that this call does not have
export const inputWithUnknownQuery: Input<'getBucket'> = { params: { bucket: 'b' }, query: { x: 1 } }
export const bucketSize = (b: Output<'getBucket'>): number => b.size

const users = defineEndpoints('users', {
  listUsers: { method: 'GET', path: '/api/v1/users' },
  createUser: { method: 'POST', path: '/api/v1/users', writes: 'new', changes: ['listUsers'] },
})
export const joinedUserEndpoints = joinEndpoints(users)
export const bodyKinds: ['none', 'json', 'json', 'empty'] = [
  users.listUsers.body,
  users.createUser.body,
  users.listUsers.answer,
  users.createUser.answer,
]
export const readOperations: ReadOperation[] = ['listBuckets', 'getSession']
// @ts-expect-error a call that changes something is not a read
export const writeOperation: ReadOperation = 'createBucket'
const misspeltEndpoints = defineEndpoints('users', {
  createUser: { method: 'POST', path: '/api/v1/users', writes: 'new', changes: ['listUser'] },
})
// @ts-expect-error no GET call has this name
joinEndpoints({ ...users, ...misspeltEndpoints })
// @ts-expect-error a call that is not a GET must say what it changes
defineEndpoints('users', { createUser: { method: 'POST', path: '/api/v1/users', writes: 'new' } })
// @ts-expect-error a POST, PUT or PATCH must say what it writes
defineEndpoints('users', { createUser: { method: 'POST', path: '/api/v1/users', changes: [] } })
// @ts-expect-error no such call in the area
routes(users, { listUser: { summary: 'All users' } })
