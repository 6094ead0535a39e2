import { expect, test } from 'vitest'
import type { z } from 'zod'
import type { Route } from './call/route.ts'
import { examples } from './examples.ts'
import { endpoints, formatSize, type Operation } from './index.ts'
import { contract } from './schemas.ts'

const calls = Object.entries<Route>(contract)

test('every call has schemas', () => {
  expect(Object.keys(contract).sort()).toEqual(Object.keys(endpoints).sort())
  for (const [name, route] of calls) expect(route.endpoint, name).toBe(endpoints[name as Operation])
})

test('every call of a storage server that changes state lists the IAM action that it needs', () => {
  const free = [
    'login',
    'loginOperator',
    'loginOauth2',
    'logout',
    'hasPermission',
    'deleteLink',
    'downloadObjects',
    'ingestAudit',
    // Users may do this for themselves unless a policy denies it.
    'createServiceAccount',
    'createServiceAccountCredentials',
    'deleteServiceAccount',
    'changePassword',
    'signOutEverywhere',
  ]
  const silent = calls.filter(
    ([name, { endpoint }]) =>
      endpoint.method !== 'GET' &&
      endpoint.mode !== 'operator' &&
      !free.includes(name) &&
      endpoint.actions.length === 0,
  )
  expect(silent).toEqual([])
})

/**
 * Calls of operator mode that take no `before`. They write only what the body names; of two callers who change the same part,
 * the last one wins.
 */
const parts = [
  'updateTenant',
  'updateTenantSecurity',
  'updateTenantCertificates',
  'updateTenantEncryption',
  'updateTenantIdentityProvider',
  'updateTenantDomains',
]

const isCreating = (name: string) => /^(create|add)[A-Z]/.test(name)
const isSetting = (name: string) => /^(set|update)[A-Z]/.test(name)
/** Adds to what exists, whatever it is: no call for another thing can be lost. */
const additions = ['addUsersToGroups', 'setTenantAdministrators']

test('a call says what it writes as its name says', () => {
  const writes = (name: string) => endpoints[name as Operation].writes
  const names = calls.map(([name]) => name).filter((name) => !additions.includes(name))
  expect(names.filter(isCreating).filter((name) => !/new|generated/.test(writes(name)))).toEqual([])
  // A part: the secrets of a tier cannot be read, so nothing can be compared. The last replicates to further buckets.
  const others = ['updateServiceAccount', 'setTierCredentials', 'updateTenantConfiguration', 'setReplication', ...parts]
  expect(names.filter(isSetting).filter((name) => !/whole/.test(writes(name)) && !others.includes(name))).toEqual([])
})

test('a call that sets a whole value takes the value that the change is based on', () => {
  const conditions = ['before', 'version', 'etag', 'resourceVersion', 'generation']
  const without = calls.filter(
    ([, { endpoint, body }]) =>
      /whole/.test(endpoint.writes) && !conditions.some((name) => fieldNames(body).includes(name)),
  )
  expect(without.map(([name]) => name)).toEqual([])
})

test('a call that creates takes create_only, unless it always refuses what exists', () => {
  /** `tests/http/shell/saves.test.ts` makes them twice. */
  const refusing = [
    'createBucket',
    // Has `ignoreExisting` for the opposite.
    'createBucketEvent',
    'createServiceAccountCredentials',
    'createUserServiceAccountCredentials',
    'createUser',
    'addTier',
    'createTenant',
    'createNamespace',
    'addTenantPool',
    // `before: null` is the older spelling.
    'setAccessRule',
  ]
  const without = calls.filter(
    ([name, { endpoint, body }]) =>
      endpoint.writes.startsWith('new') && !refusing.includes(name) && !fieldNames(body).includes('create_only'),
  )
  expect(without.map(([name]) => name)).toEqual([])
})

test.each(calls)('the parameters of %s match its path', (_, { endpoint, params }) => {
  const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  expect(namesIn(params)).toEqual(inPath)
})

test.each(calls)('the example of %s matches its schemas', (name, { endpoint, params, query, body }) => {
  const example: { params?: unknown; query?: unknown; body?: unknown } = examples[name as Operation]
  params.parse(example.params ?? {})
  query.parse(example.query ?? {})
  if (endpoint.body === 'json' || endpoint.body === 'form') body.parse(example.body)
})

test.each(calls)('`repeats` of %s maps a body field to a parameter', (_, { params, query, body, repeats }) => {
  for (const [field, parameter] of Object.entries(repeats)) {
    expect(namesIn(body)).toContain(field)
    expect([...namesIn(params), ...namesIn(query)]).toContain(parameter)
  }
})

/** The fields of a body; none if it is not an object. */
function fieldNames(body: z.ZodType): string[] {
  try {
    return namesIn(body)
  } catch {
    return []
  }
}

function namesIn(schema: z.ZodType): string[] {
  const inner = 'unwrap' in schema ? (schema as unknown as z.ZodOptional<z.ZodType>).unwrap() : schema
  if ('unwrap' in inner) return namesIn(inner)
  return Object.keys((inner as z.ZodObject).shape)
}

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [9.94 * 1024, '9.9 KiB'],
  [9.96 * 1024, '10 KiB'],
  [10 * 1024 ** 2, '10 MiB'],
  [1024 ** 2 - 1, '1.0 MiB'],
  [14 * 1024 ** 4, '14 TiB'],
  [1024 ** 8, '1.0 YiB'],
])('%d bytes are formatted as %s [SHL-46]', (bytes, text) => expect(formatSize(bytes)).toBe(text))
