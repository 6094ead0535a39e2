/** Whether extracting this name could write outside the target folder. */
export function isEscapingName(name: string): boolean {
  return name === '' || /^[/\\]|^[A-Za-z]:/.test(name) || name.split(/[/\\]/).includes('..')
}

/** Whether a name contains control characters. */
export const hasControlCharacter = (name: string): boolean => /\p{Cc}/u.test(name)
