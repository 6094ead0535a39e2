import type { ReasonId, reasons } from './reasons.ts'
import type { Reason } from './value-reasons.ts'

type PlaceholderNames<T extends string> = T extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | PlaceholderNames<Rest>
  : never
type TextPlaceholders<T> = T extends string
  ? PlaceholderNames<T>
  : T extends readonly [string, infer Other extends string]
    ? PlaceholderNames<Other>
    : never

type ReasonParams<I extends ReasonId> = [TextPlaceholders<(typeof reasons)[I]>] extends [never]
  ? []
  : [
      params: {
        readonly [Name in TextPlaceholders<(typeof reasons)[I]>]: Name extends 'count' ? number : string | number
      },
    ]

/** Returns a reason with its values: `reason('body-too-large', { size, limit })`. */
export function reason<I extends ReasonId>(id: I, ...[params]: ReasonParams<I>): Reason {
  return params === undefined ? { id } : { id, params }
}
