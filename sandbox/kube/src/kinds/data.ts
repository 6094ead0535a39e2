import { isDeepStrictEqual } from 'node:util'
import type { ConfigMap, Secret } from 'kubernetes-types/core/v1'
import { type FieldError, fieldErrors } from '../object/kube-api-error.ts'
import type { KindRules } from './kind.ts'

const MAX_BYTES = 1024 * 1024
const KEY = /^[-._a-zA-Z0-9]{1,253}$/
const KEY_RULE =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
const LOCKED = 'field is immutable when `immutable` is set'

/** The required keys of a secret, by type. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
}

export const secretRules: KindRules<Secret> = {
  defaults(secret) {
    secret.type ||= 'Opaque'
    if (secret.stringData) {
      const texts = Object.entries(secret.stringData).map(([key, text]) => [key, Buffer.from(text).toString('base64')])
      secret.data = { ...secret.data, ...Object.fromEntries(texts) }
      delete secret.stringData
    }
  },
  problems(secret) {
    const data = secret.data ?? {}
    const problems = keyProblems(Object.keys(data), 'data')
    const size = Object.values(data).reduce((sum, value) => sum + Buffer.byteLength(value, 'base64'), 0)
    if (size > MAX_BYTES) problems.push(fieldErrors.tooLong('data', MAX_BYTES))
    for (const key of REQUIRED[secret.type ?? ''] ?? []) {
      if (data[key] === undefined) problems.push(fieldErrors.required(`data[${key}]`))
      else if (key.startsWith('.docker')) problems.push(...registryProblems(key, data[key]))
    }
    const account = 'kubernetes.io/service-account.name'
    if (secret.type === 'kubernetes.io/service-account-token' && !secret.metadata?.annotations?.[account])
      problems.push(fieldErrors.required(`metadata.annotations[${account}]`))
    return problems
  },
  updateProblems(next, previous) {
    const problems: FieldError[] = []
    if (next.type !== previous.type) problems.push(fieldErrors.invalid('type', next.type, 'field is immutable'))
    return [...problems, ...lockedProblems(next, previous, ['data'])]
  },
  warnings: ({ type, data = {} }) =>
    type === 'kubernetes.io/tls'
      ? (['tls.crt', 'tls.key'] as const)
          .filter((key) => !Buffer.from(data[key] ?? '', 'base64').includes('-----BEGIN '))
          .slice(0, 1)
          .map((key) => `tls: failed to find any PEM data in ${key === 'tls.crt' ? 'certificate' : 'key'} input`)
      : [],
  fields: ({ type }) => ({ type: type ?? '' }),
}

export const configMapRules: KindRules<ConfigMap> = {
  problems({ data = {}, binaryData = {} }) {
    const problems = [...keyProblems(Object.keys(data), 'data'), ...keyProblems(Object.keys(binaryData), 'binaryData')]
    for (const key of Object.keys(data))
      if (Object.hasOwn(binaryData, key))
        problems.push(fieldErrors.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'))
    const texts = Object.values(data).reduce((sum, value) => sum + Buffer.byteLength(value), 0)
    const bytes = Object.values(binaryData).reduce((sum, value) => sum + Buffer.byteLength(value, 'base64'), 0)
    if (texts + bytes > MAX_BYTES) problems.push(fieldErrors.tooLong('', MAX_BYTES))
    return problems
  },
  updateProblems: (next, previous) => lockedProblems(next, previous, ['data', 'binaryData']),
}

function keyProblems(keys: string[], part: string): FieldError[] {
  return keys.flatMap((key) => {
    if (key === '.' || key === '..') return [fieldErrors.invalid(`${part}[${key}]`, key, `must not be '${key}'`)]
    return KEY.test(key) ? [] : [fieldErrors.invalid(`${part}[${key}]`, key, KEY_RULE)]
  })
}

function registryProblems(key: string, value: string): FieldError[] {
  const text = Buffer.from(value, 'base64').toString('utf8')
  try {
    JSON.parse(text)
    return []
  } catch {
    const detail = `invalid character '${text[0] ?? ''}' looking for beginning of value`
    return [fieldErrors.invalid(`data[${key}]`, '<secret contents redacted>', detail)]
  }
}

function lockedProblems<T extends Secret | ConfigMap>(next: T, previous: T, parts: (keyof T & string)[]): FieldError[] {
  if (!previous.immutable) return []
  const problems = next.immutable ? [] : [fieldErrors.forbidden('immutable', LOCKED)]
  // One message is enough for a request that both unlocks and changes the object.
  if (problems.length > 0) return problems
  return parts
    .filter((part) => !isDeepStrictEqual(next[part], previous[part]))
    .map((part) => fieldErrors.forbidden(part, LOCKED))
}
