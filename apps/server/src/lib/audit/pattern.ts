import { wildcardPattern } from '../wildcard.ts'

/**
 * What a filter of audit records means: without a wildcard the whole value, else `*` any text and `.` one character. A
 * backslash takes the meaning of the character behind it away.
 * @returns a function that says whether a value fits
 */
export const patternOf = (pattern: string) => wildcardPattern(pattern, '.')
