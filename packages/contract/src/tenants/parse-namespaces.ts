/** Splits a text with the names of namespaces at its commas. */
export function parseNamespaces(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
}
