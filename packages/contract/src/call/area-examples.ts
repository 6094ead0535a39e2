import type { Operation } from '../endpoints.ts'
import type { Input } from '../input.ts'

/** An example input for each call of an area, without bodies that are bytes or files. */
export type AreaExamples<E> = { readonly [N in keyof E & Operation]: Input<N> }
