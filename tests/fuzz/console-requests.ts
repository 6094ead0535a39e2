import { sampleNames } from '@stowage/contract/call/sample-names'
import { endpoints, type Operation } from '@stowage/contract/endpoints'
import { examples } from '@stowage/contract/examples'
import fc from 'fast-check'
import { type FuzzBody, type FuzzRequest, utf8 } from './fuzz-request.ts'
import {
  BUCKETS,
  fuzzText,
  jsonLike,
  KEYS,
  maybeDamaged,
  oddText,
  percentEncode,
  requestQuery,
  USERS,
} from './random-texts.ts'

/* Requests to the console: every call of the contract, based on its example. */

/** Existing names that replace those in the examples. */
const REAL: Readonly<Record<string, string>> = {
  [sampleNames.bucket]: BUCKETS[0],
  [sampleNames.newBucket]: BUCKETS[1],
  [sampleNames.key]: KEYS[0],
  [sampleNames.uploadId]: '{{uploadId}}',
  [sampleNames.partEtag]: '{{etag}}',
  // Failed sign-ins delay the next ones, so use a user whose session the run does not need.
  anna: USERS[2],
}

function withRealNames(value: unknown): unknown {
  if (typeof value === 'string') return REAL[value] ?? value
  if (Array.isArray(value)) return value.map(withRealNames)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withRealNames(member)]))
}

interface Example {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

const asText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
const texts = (example: Record<string, unknown>) =>
  fc
    .record(Object.fromEntries(Object.entries(example).map(([name, value]) => [name, fuzzText(asText(value))])))
    .map((values) => Object.entries(values))

function fuzzBody(operation: Operation, example: unknown): fc.Arbitrary<{ body: FuzzBody; type: string | undefined }> {
  switch (endpoints[operation].body) {
    case 'json':
      return maybeDamaged(jsonLike(example ?? {}).map((value) => JSON.stringify(value) ?? '')).map((json) => ({
        body: utf8(json),
        type: 'application/json',
      }))
    case 'form':
      return texts((example ?? {}) as Record<string, unknown>).map((fields) => ({
        body: utf8(requestQuery(fields)),
        type: 'application/x-www-form-urlencoded',
      }))
    case 'multipart':
      return fc
        .tuple(fc.array(fc.tuple(oddText, oddText), { maxLength: 2 }), oddText, fc.string())
        .map(([fields, name, file]) => ({
          body: { kind: 'multipart', fields, file: { name, text: file } },
          type: undefined,
        }))
    case 'bytes':
      return fc.string().map((bytes) => ({ body: utf8(bytes), type: 'application/octet-stream' }))
    case 'none':
      return fc.constant({ body: { kind: 'none' }, type: undefined })
  }
}

function operationRequest(operation: Operation): fc.Arbitrary<FuzzRequest> {
  const { method, path } = endpoints[operation]
  const { params = {}, query = {}, body } = withRealNames(examples[operation]) as Example
  return fc
    .record({
      params: texts(params),
      query: texts(query),
      more: fc.oneof(
        { weight: 12, arbitrary: fc.constant([]) },
        fc.array(fc.tuple(oddText, oddText), { maxLength: 2 }),
      ),
      content: fuzzBody(operation, body),
      accept: fc.oneof({ weight: 6, arbitrary: fc.constant('*/*') }, fuzzText('application/json')),
      as: fc.constantFrom<FuzzRequest['as']>(...(NOT_BY_ROOT.includes(operation) ? [] : ROOTS), 'user', 'anonymous'),
    })
    .map(({ params, query, more, content, accept, as }) => ({
      api: 'console',
      method,
      path: params.reduce(
        (filled, [name, value]) => filled.replace(`:${name}`, () => percentEncode(value)),
        path as string,
      ),
      query: requestQuery([...query, ...more]),
      headers: {
        accept: accept.replace(/[^\t\x20-\x7e]/g, ''),
        ...(content.type === undefined ? {} : { 'content-type': content.type }),
      },
      body: content.body,
      as,
      signed: 'header',
    }))
}

/** Calls that would end root's session, or the storage server, during later requests. */
const NOT_BY_ROOT: readonly Operation[] = ['logout', 'signOutEverywhere', 'restartService']
const ROOTS = Array.from({ length: 10 }, () => 'root' as const)
const all = Object.keys(endpoints) as Operation[]
const operations = all.filter((name) => endpoints[name].mode !== 'operator')

/** Unknown pages, files and paths. */
const elsewhere: fc.Arbitrary<FuzzRequest> = fc
  .tuple(
    fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'),
    fuzzText('/', '/login', '/buckets', '/api/v1/openapi.json', '/healthz', '/ws/objectManager'),
  )
  .map(([method, path]) => ({
    api: 'console',
    method,
    path: path.startsWith('/') ? path.replace(/[^\x21-\x7e]/g, '') : `/${percentEncode(path)}`,
    query: '',
    headers: {},
    body: { kind: 'none' },
    as: 'root',
    signed: 'header',
  }))

/** Every call of operator mode. */
export const operatorRequests = fc.oneof(
  ...all.filter((name) => endpoints[name].mode === 'operator').map((operation) => operationRequest(operation)),
)

export const consoleRequests = fc.oneof(elsewhere, ...operations.map((operation) => operationRequest(operation)))
