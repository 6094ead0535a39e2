/** Three-valued logic as numbers, so that "and" is the minimum and "or" the maximum. */
export const NO = 0
export const MAYBE = 1
export const YES = 2
export type Tri = typeof NO | typeof MAYBE | typeof YES

export const and = (a: Tri, b: Tri): Tri => (a < b ? a : b)
export const not = (a: Tri): Tri => (a === YES ? NO : a === NO ? YES : MAYBE)
export const fromBoolean = (value: boolean): Tri => (value ? YES : NO)
