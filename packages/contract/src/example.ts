import type { Operation } from './endpoints.ts'
import type { Input } from './input.ts'

/** An example input for each call of an area. Bodies of bytes and of files have none. */
export type ExamplesOf<E> = { readonly [N in keyof E & Operation]: Input<N> }
