import type { Input, Output } from './index.ts'

// Compile-time examples: what tsc must accept and refuse of a caller's input.
export const accepted: [Input<'login'>, Input<'listBuckets'>, Input<'listObjects'>, Input<'getBucket'>] = [
  { body: { accessKey: 'a', secretKey: 'b' } },
  {},
  { params: { bucket: 'b' }, query: { limit: 5 } },
  { params: { bucket: 'b' } },
]
// @ts-expect-error the body is required
export const noBody: Input<'login'> = {}
// @ts-expect-error no such parameter
export const wrongParam: Input<'getBucket'> = { params: { name: 'b' } }
// @ts-expect-error a query that this call does not have
export const noQuery: Input<'getBucket'> = { params: { bucket: 'b' }, query: { x: 1 } }
export const size = (b: Output<'getBucket'>): number => b.size
