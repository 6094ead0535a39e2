import type { ReasonId, reasons } from './reasons.ts'
import type { Reason } from './value-reasons.ts'

type Places<T extends string> = T extends `${string}{{${infer Name}}}${infer Rest}` ? Name | Places<Rest> : never
type PlacesOf<T> = T extends string
  ? Places<T>
  : T extends readonly [string, infer Other extends string]
    ? Places<Other>
    : never

type ParamsOf<I extends ReasonId> = [PlacesOf<(typeof reasons)[I]>] extends [never]
  ? []
  : [params: { readonly [Name in PlacesOf<(typeof reasons)[I]>]: Name extends 'count' ? number : string | number }]

/** Returns a reason with its values: `reason('body-too-large', { size, limit })`. */
export function reason<I extends ReasonId>(id: I, ...[params]: ParamsOf<I>): Reason {
  return params === undefined ? { id } : { id, params }
}
