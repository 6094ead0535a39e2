import { wildcardPattern } from '../wildcard.ts'

/**
 * Compiles a filter of audit records: without a wildcard it matches the whole value; otherwise `*` matches any text and `.` any
 * character. A backslash escapes the next character.
 * @returns a function that tests a value
 */
export const patternOf = (pattern: string) => wildcardPattern(pattern, '.')
