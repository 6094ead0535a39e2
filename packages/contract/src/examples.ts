import { adminExamples } from './admin/examples.ts'
import { bucketExamples } from './buckets/examples.ts'
import type { Operation } from './endpoints.ts'
import type { Input } from './input.ts'
import { objectExamples } from './objects/examples.ts'
import { sessionExamples } from './session/examples.ts'

/** An example input for every call, by name: shown on the API page, and made for real by a test. */
export const examples: { readonly [O in Operation]: Input<O> } = {
  ...sessionExamples,
  ...adminExamples,
  ...bucketExamples,
  ...objectExamples,
}
