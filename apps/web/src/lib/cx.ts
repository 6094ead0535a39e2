/** Joins class names; what is false or absent is left out. */
export function cx(...names: (string | false | undefined | null)[]): string {
  return names.filter(Boolean).join(' ')
}
