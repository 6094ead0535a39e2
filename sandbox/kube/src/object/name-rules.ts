import { isDnsSubdomain, MAX_DNS_SUBDOMAIN } from '@stowage/kube/names'

const NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/
const NAME_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
export const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
export const LABEL_RULE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const SERVICE_RULE =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
const MAX_PART = 63

/** Returns the errors of the key of a label or annotation, in the API server's words. */
export function qualifiedNameProblems(key: string): string[] {
  const parts = key.split('/')
  const problems: string[] = []
  if (parts.length > 2)
    return [`a qualified name ${NAME_RULE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`]
  const [prefix, name] = parts.length === 2 ? parts : [undefined, parts[0]]
  if (prefix === '') problems.push('prefix part must be non-empty')
  else if (prefix !== undefined && !isDnsSubdomain(prefix)) problems.push(`prefix part ${SUBDOMAIN_RULE}`)
  if (!name) problems.push('name part must be non-empty')
  else if (name.length > MAX_PART) problems.push(`name part must be no more than ${MAX_PART} characters`)
  if (!NAME.test(name ?? '')) problems.push(`name part ${NAME_RULE}`)
  return problems
}

export function labelValueProblems(value: string): string[] {
  const problems: string[] = []
  if (value.length > MAX_PART) problems.push(`must be no more than ${MAX_PART} characters`)
  if (!VALUE.test(value)) problems.push(VALUE_RULE)
  return problems
}

/** Syntax of the names of a kind. */
export type KubeNameRule = 'subdomain' | 'label' | 'service' | 'path'

export function objectNameProblems(rule: KubeNameRule, name: string): string[] {
  const tooLong = (most: number) => (name.length > most ? [`must be no more than ${most} characters`] : [])
  switch (rule) {
    case 'subdomain':
      return [...tooLong(MAX_DNS_SUBDOMAIN), ...(SUBDOMAIN.test(name) ? [] : [SUBDOMAIN_RULE])]
    case 'label':
      return [
        ...tooLong(MAX_PART),
        ...(LABEL.test(name) ? [] : [SUBDOMAIN.test(name) ? 'must not contain dots' : LABEL_RULE]),
      ]
    case 'service':
      return [...tooLong(MAX_PART), ...(/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(name) ? [] : [SERVICE_RULE])]
    case 'path':
      if (name === '.' || name === '..') return [`may not be '${name}'`]
      return ['/', '%'].filter((char) => name.includes(char)).map((char) => `may not contain '${char}'`)
  }
}

const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
