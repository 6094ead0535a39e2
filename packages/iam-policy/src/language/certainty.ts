/** Three-valued logic as numbers, so that "and" is the minimum and "or" the maximum. */
export const NO = 0
export const MAYBE = 1
export const YES = 2
export type Certainty = typeof NO | typeof MAYBE | typeof YES

export const both = (a: Certainty, b: Certainty): Certainty => (a < b ? a : b)
export const opposite = (a: Certainty): Certainty => (a === YES ? NO : a === NO ? YES : MAYBE)
export const yesOrNo = (value: boolean): Certainty => (value ? YES : NO)
