import fc from 'fast-check'
import { REQUEST_TEXTS } from '../cost/hostile-texts.ts'

/* Texts for names, values and bodies: mostly existing ones, sometimes unexpected ones. */

export const BUCKETS = ['fuzz-one', 'fuzz-two', 'fuzz-three', 'fuzz.four'] as const
export const USERS = ['fuzz-alice', 'fuzz-bob', 'fuzz-carol'] as const
/** The user that signs requests; no request is about it. */
export const SIGNER = 'signer-of-the-run'
export const GROUPS = ['fuzz-staff', 'fuzz-guests'] as const
/** The secret key of all users created by the run. */
export const SECRET = 'the secret of fuzz users'
export const POLICIES = ['fuzz-policy', 'fuzz-other', 'readonly', 'readwrite', 'consoleAdmin'] as const
export const KEYS = [
  'a',
  'a/b',
  'a/b/',
  'a//b',
  '/a',
  'dir/größe.txt',
  '日本/語',
  'with blank +%&=?#',
  'k'.repeat(1024),
] as const

/** Placeholders for values from earlier answers; the sender replaces them. */
export const PLACEHOLDERS = ['{{uploadId}}', '{{versionId}}', '{{etag}}', '{{token}}'] as const

const ODD = [
  '',
  ' ',
  '.',
  '..',
  '/',
  '//',
  '../..',
  '*',
  '?',
  '**',
  '-1',
  '0',
  '1e9',
  '00001',
  '9'.repeat(30),
  'NaN',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '%',
  '%00',
  '%2e%2e%2f',
  '%ff',
  '%zz',
  '\0',
  'a\0b',
  '\x01\x02',
  '\x7f',
  'tab\tin',
  'line\nfeed',
  'cr\r\nX-Injected: 1',
  '\u202egpj.exe',
  '\u2028',
  '\ufeffbom',
  '\ufffd',
  '\uffff',
  '😀',
  'e\u0301',
  '<>&"\'',
  ']]>',
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  '&#0;',
  '&#xD800;',
  "';--",
  // A policy variable, as text.
  ['$', '{aws:username}'].join(''),
  ';x=1',
  'a;b=c/',
  'a,b',
  'a=b',
  '=',
  'minio',
  '.minio.sys',
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
  '-'.repeat(63),
  '192.168.0.1',
  'xn--a',
] as const

/** Lengths around every limit of store and console. */
const LENGTHS = [
  62, 63, 64, 128, 129, 255, 256, 257, 1000, 1023, 1024, 1025, 1900, 1971, 1978, 1979, 2000, 2049, 4000, 7000,
]
export const longText = fc
  .tuple(fc.constantFrom('a', 'A', '/', 'a/', '.', '\0', 'é', '😀', '%', ' ', '<'), fc.constantFrom(...LENGTHS))
  .map(([piece, length]) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length))

/** Texts on which parsers and matchers may take long, of lengths that the limits of fields allow and that they refuse. */
const costlyText = fc
  .tuple(fc.constantFrom(...REQUEST_TEXTS), fc.constantFrom(60, 250, 1000, 4000, 16_000))
  .map(([make, length]) => make(length))

export const oddText = fc.oneof(
  { weight: 1, arbitrary: costlyText },
  { weight: 6, arbitrary: fc.constantFrom(...ODD) },
  { weight: 4, arbitrary: longText },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.constantFrom(...PLACEHOLDERS) },
)

/** Generates one of these texts, or an unusual one. */
export function fuzzText(...usual: readonly [string, ...string[]] | readonly string[]): fc.Arbitrary<string> {
  return fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: oddText })
}

export const bucketName = fuzzText(...BUCKETS)
export const objectKey = fuzzText(...KEYS)
export const numberText = fuzzText('0', '1', '2', '10', '1000', '10000')
export const booleanText = fuzzText('true', 'false')

/** Generates a text that was cut, doubled or had something inserted. */
export function maybeDamaged(whole: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const change = fc.record({ kind: fc.constantFrom('cut', 'drop', 'double', 'insert'), at: fc.nat(1000), odd: oddText })
  const changed = fc.tuple(whole, change).map(([value, { kind, at, odd }]) => {
    const place = Math.floor((at / 1001) * (value.length + 1))
    if (kind === 'cut') return value.slice(0, place)
    if (kind === 'drop') return value.slice(0, place) + value.slice(place + 5)
    if (kind === 'double') return value.slice(0, place) + value
    return value.slice(0, place) + odd + value.slice(place)
  })
  return fc.oneof({ weight: 9, arbitrary: whole }, { weight: 1, arbitrary: changed })
}

/** Generates JSON similar to the example: members missing or added, values of other types. */
export function jsonLike(example: unknown): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 20, arbitrary: sameKind(example) }, { weight: 1, arbitrary: otherKind })
}

const otherKind: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.constantFrom(null, true, false, 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER + 2, [], {}, [[[]]], {
    __proto__: null,
  }),
  fc.array(oddText, { maxLength: 3 }),
)

function sameKind(example: unknown): fc.Arbitrary<unknown> {
  if (typeof example === 'string') return fuzzText(example)
  if (typeof example === 'number') {
    const odd = fc.constantFrom(0, 1, -1, 2 ** 53, 1e21, 0.1)
    return fc.oneof({ weight: 4, arbitrary: fc.constant(example) }, { weight: 1, arbitrary: odd })
  }
  if (typeof example === 'boolean') return fc.boolean()
  if (Array.isArray(example)) {
    const items = example.length > 0 ? fc.oneof(...example.map((item) => jsonLike(item))) : otherKind
    return fc.array(items, { maxLength: 3 })
  }
  if (typeof example !== 'object' || example === null) return fc.constant(example)
  const members = Object.entries(example).map(([name, member]) => [name, jsonLike(member)] as const)
  const whole = fc.record(Object.fromEntries(members))
  const some = fc.record(Object.fromEntries(members), { requiredKeys: [] })
  const more = fc.tuple(whole, oddText, otherKind).map(([value, name, member]) => ({ ...value, [name]: member }))
  return fc.oneof({ weight: 12, arbitrary: whole }, { weight: 1, arbitrary: some }, { weight: 1, arbitrary: more })
}

/** Percent-encodes a text as UTF-8; a lone surrogate becomes U+FFFD. */
export function percentEncode(value: string): string {
  return Buffer.from(value)
    .toString('latin1')
    .replace(/[^A-Za-z0-9_.~-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}

/** Returns a path for a request: encoded except for slashes, sometimes not encoded at all. */
export function requestPath(...parts: readonly string[]): string {
  return `/${parts.map((part) => percentEncode(part).replaceAll('%2F', '/')).join('/')}`
}

export function requestQuery(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join('&')
}
