import { formatQuantity, parseQuantity, QUANTITY_PROBLEM, roundUp } from '@stowage/kube/quantity'
import { isObject, type Json, type JsonObject } from '../json.ts'
import goTypes from './go-types.json' with { type: 'json' }

/**
 * The fields of the built-in kinds as the API server's Go structs have them (go-types.json, made by
 * tests/kube/judge/types.ts), and the two things that follow from them: what a server reads from a body, and what it
 * writes. `*` is a pointer, whose zero values are kept; `!` a field that is written even when it is empty.
 */
type Node =
  | { readonly is: 'scalar'; readonly name: Scalar }
  | { readonly is: 'struct'; readonly name: string }
  | { readonly is: 'list' | 'map' | 'pointer'; readonly of: Node }

interface Field {
  readonly node: Node
  readonly always: boolean
}

const SCALARS = [
  ...(['string', 'bool', 'int32', 'int64', 'float64', 'bytes', 'quantity', 'time', 'microTime'] as const),
  ...(['intOrString', 'any'] as const),
] as const
type Scalar = (typeof SCALARS)[number]

const structs = new Map<string, ReadonlyMap<string, Field>>()

function fieldsOf(struct: string): ReadonlyMap<string, Field> {
  const known = structs.get(struct)
  if (known) return known
  const declared: Record<string, string> | undefined = (goTypes as Record<string, Record<string, string>>)[struct]
  if (!declared) throw new TypeError(`${struct} is not in go-types.json`)
  const fields = new Map(
    Object.entries(declared).map(([name, type]): [string, Field] => [
      name,
      { node: nodeOf(type.replace(/!$/, '')), always: type.endsWith('!') },
    ]),
  )
  structs.set(struct, fields)
  return fields
}

function nodeOf(type: string): Node {
  if (type === '[]byte') return { is: 'scalar', name: 'bytes' }
  if (type.startsWith('*')) return { is: 'pointer', of: nodeOf(type.slice(1)) }
  if (type.startsWith('[]')) return { is: 'list', of: nodeOf(type.slice(2)) }
  if (type.startsWith('{}')) return { is: 'map', of: nodeOf(type.slice(2)) }
  const scalar = SCALARS.find((name) => name === type)
  return scalar ? { is: 'scalar', name: scalar } : { is: 'struct', name: type }
}

/** A body that does not have the types of its kind, in the words of Go's decoder. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError'
}

export interface Decoded {
  readonly object: JsonObject
  /** Paths of the fields that the kind does not have; they are not in `object`. */
  readonly unknown: string[]
  /** Why the body is refused, once it has been said what is unknown in it. */
  readonly refusal?: Error
}

/**
 * What a server makes of a body of one kind.
 * @param struct such as `core.Pod`
 * @throws DecodeError
 */
export function decode(struct: string, body: JsonObject): Decoded {
  const unknown: string[] = []
  return { object: readStruct(struct, body, { struct: '', path: '' }, unknown), unknown }
}

/** Where a value stands: the struct that Go's messages name, and the path from the top. */
interface Place {
  readonly struct: string
  readonly path: string
}

function readStruct(struct: string, value: Json | undefined, at: Place, unknown: string[]): JsonObject {
  const fields = fieldsOf(struct)
  const given = value === undefined || value === null ? {} : value
  if (!isObject(given)) throw mismatch(given, at, goName(struct))
  const result: JsonObject = {}
  for (const [name, field] of fields) {
    const path = at.path === '' ? name : `${at.path}.${name}`
    const read = readField(field, given[name], { struct: bare(struct), path }, unknown)
    if (read !== undefined) result[name] = read
  }
  for (const name of Object.keys(given))
    if (!fields.has(name)) unknown.push(at.path === '' ? name : `${at.path}.${name}`)
  return result
}

function readField({ node, always }: Field, value: Json | undefined, at: Place, unknown: string[]): Json | undefined {
  const absent = value === undefined || value === null
  if (absent && node.is === 'pointer') return always ? null : undefined
  if (absent) return zeroOf(node, always, unknown)
  const read = readValue(node, value, at, unknown)
  if (node.is === 'pointer' || node.is === 'struct') return read
  return isEmpty(read) ? zeroOf(node, always, unknown) : read
}

/** What is written where nothing is given. */
function zeroOf(node: Node, always: boolean, unknown: string[]): Json | undefined {
  // A struct that is no pointer is never empty to Go, nor are its times.
  if (node.is === 'struct') return readStruct(node.name, {}, { struct: '', path: '' }, unknown)
  if (node.is === 'scalar' && (node.name === 'time' || node.name === 'microTime')) return null
  if (node.is === 'scalar' && node.name === 'quantity') return '0'
  if (!always) return undefined
  if (node.is !== 'scalar' || node.name === 'any' || node.name === 'bytes') return null
  if (node.name === 'string') return ''
  return node.name === 'bool' ? false : 0
}

function isEmpty(value: Json): boolean {
  if (value === '' || value === false || value === 0) return true
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function readValue(node: Node, value: Json, at: Place, unknown: string[]): Json {
  switch (node.is) {
    case 'pointer':
      return readValue(node.of, value, at, unknown)
    case 'struct':
      return readStruct(node.name, value, at, unknown)
    case 'list': {
      if (!Array.isArray(value)) throw mismatch(value, at, goType(node))
      return value.map((each, n) => readMember(node.of, each, { ...at, path: `${at.path}[${n}]` }, unknown))
    }
    case 'map': {
      if (!isObject(value)) throw mismatch(value, at, goType(node))
      const isResources = node.of.is === 'scalar' && node.of.name === 'quantity'
      return Object.fromEntries(
        Object.entries(value).map(([key, each]) => {
          const read = readMember(node.of, each ?? null, at, unknown)
          return [key, isResources ? toMilli(read) : read]
        }),
      )
    }
    case 'scalar':
      return readScalar(node.name, value, at)
  }
}

/** A member of a list or map is always written, whatever it is. */
function readMember(node: Node, value: Json, at: Place, unknown: string[]): Json {
  if (value === null) return zeroOf(node, true, unknown) ?? null
  return readValue(node, value, { ...at, path: at.path.replace(/\[\d+\]$/, (index) => index) }, unknown)
}

/** Amounts of resources are kept in thousandths. */
function toMilli(value: Json): Json {
  const quantity = typeof value === 'string' ? parseQuantity(value) : undefined
  return quantity ? formatQuantity(roundUp(quantity, -3)) : value
}

function readScalar(name: Scalar, value: Json, at: Place): Json {
  switch (name) {
    case 'any':
      return value
    case 'string':
      if (typeof value !== 'string') throw mismatch(value, at, 'string')
      return value
    case 'bool':
      if (typeof value !== 'boolean') throw mismatch(value, at, 'bool')
      return value
    case 'float64':
      if (typeof value !== 'number') throw mismatch(value, at, 'float64')
      return value
    case 'int32':
    case 'int64': {
      const limit = name === 'int32' ? 2 ** 31 : 2 ** 63
      if (typeof value !== 'number') throw mismatch(value, at, name)
      if (!Number.isInteger(value) || value >= limit || value < -limit)
        throw mismatch(value, at, name, `number ${JSON.stringify(value)}`)
      return value
    }
    case 'intOrString':
      if (typeof value !== 'string' && !Number.isInteger(value)) throw mismatch(value, at, 'int32')
      return value
    case 'bytes':
      return readBytes(value, at)
    case 'quantity': {
      if (typeof value !== 'string' && typeof value !== 'number') throw new DecodeError(QUANTITY_PROBLEM)
      const quantity = parseQuantity(String(value).trim())
      if (!quantity) throw new DecodeError(QUANTITY_PROBLEM)
      return formatQuantity(quantity)
    }
    case 'time':
    case 'microTime':
      return readTime(value, name, at)
  }
}

function readBytes(value: Json, at: Place): string {
  if (typeof value !== 'string') throw mismatch(value, at, '[]uint8')
  const text = value.replace(/[\r\n]/g, '')
  const wrong = /[^A-Za-z0-9+/=]/.exec(text)?.index ?? -1
  const well = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)
  if (!well)
    throw new DecodeError(`illegal base64 data at input byte ${wrong >= 0 ? wrong : text.length - (text.length % 4)}`)
  return Buffer.from(text, 'base64').toString('base64')
}

const TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

function readTime(value: Json, name: 'time' | 'microTime', at: Place): string {
  if (typeof value !== 'string') throw mismatch(value, at, 'string')
  const ms = TIME.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(ms))
    throw new DecodeError(`parsing time ${JSON.stringify(value)} as "2006-01-02T15:04:05Z07:00": cannot parse it`)
  if (name === 'time') return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
  const fraction = (/\.(\d+)/.exec(value)?.[1] ?? '').padEnd(6, '0').slice(0, 6)
  return new Date(ms).toISOString().replace(/\.\d+Z$/, `.${fraction}Z`)
}

function mismatch(value: Json, { struct, path }: Place, type: string, what = jsonType(value)): DecodeError {
  const where = path.replace(/\[\d+\]/g, '')
  return new DecodeError(`json: cannot unmarshal ${what} into Go struct field ${struct}.${where} of type ${type}`)
}

export function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  return value === null ? 'null' : typeof value
}

function goType(node: Node): string {
  switch (node.is) {
    case 'pointer':
      return goType(node.of)
    case 'list':
      return `[]${goType(node.of)}`
    case 'map':
      return `map[string]${goType(node.of)}`
    case 'struct':
      return goName(node.name)
    case 'scalar':
      return node.name === 'bytes' ? '[]uint8' : node.name
  }
}

const bare = (struct: string) => struct.split('.').at(-1) ?? ''
const goName = (struct: string) => `v1.${bare(struct)}`
