/** @see https://kubernetes.io/docs/concepts/overview/working-with-objects/names/ */
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

/** Maximum length of names, in characters. */
export const MAX_DNS_LABEL = 63
export const MAX_DNS_SUBDOMAIN = 253

/** Whether a text is a valid name of a namespace, a service or a pool: a DNS label of RFC 1123. */
export function isDnsLabel(text: string): boolean {
  return text.length <= MAX_DNS_LABEL && LABEL.test(text)
}

/** Whether a text is a valid name of most other objects: DNS labels joined by dots. */
export function isDnsSubdomain(text: string): boolean {
  return text.length <= MAX_DNS_SUBDOMAIN && SUBDOMAIN.test(text)
}

/**
 * Returns why a text is not a valid path segment, in the API server's words; undefined if it is valid.
 * @see k8s.io/apimachinery pkg/api/validation/path IsValidPathSegmentName
 */
export function pathSegmentProblem(text: string): string | undefined {
  if (text === '.' || text === '..') return `may not be '${text}'`
  const found = ['/', '%'].filter((char) => text.includes(char))
  return found.length === 0 ? undefined : found.map((char) => `may not contain '${char}'`).join(', ')
}
