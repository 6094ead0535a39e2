/** Joins class names; false and absent ones are skipped. */
export function cx(...names: (string | false | undefined | null)[]): string {
  return names.filter(Boolean).join(' ')
}
