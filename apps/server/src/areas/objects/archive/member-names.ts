/** Whether a program that unpacks this name could write outside its folder. */
export function isEscaping(name: string): boolean {
  return name === '' || /^[/\\]|^[A-Za-z]:/.test(name) || name.split(/[/\\]/).includes('..')
}

/** Whether a name has characters that no file system shows. */
export const hasControl = (name: string): boolean => /\p{Cc}/u.test(name)
