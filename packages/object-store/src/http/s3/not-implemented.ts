import { S3Error } from '../../errors.ts'
import type { Operation } from './operation.ts'

type Method = Exclude<Operation['method'], 'HEAD'>

const ALL: Method[] = ['GET', 'PUT', 'DELETE', 'POST']
const WRITES: Method[] = ['PUT', 'DELETE']

/** Sub-resources of S3 that the store does not have: an honest answer is better than a listing or a stored object. */
const MISSING: [level: Operation['level'], methods: Method[], queries: string[]][] = [
  ['service', ['GET'], ['events']],
  ['bucket', ['GET'], ['events']],
  [
    'bucket',
    ALL,
    ['analytics', 'intelligent-tiering', 'inventory', 'metrics', 'ownershipControls', 'publicAccessBlock'],
  ],
  ['bucket', WRITES, ['accelerate', 'cors', 'encryption', 'lifecycle', 'logging', 'notification', 'object-lock']],
  ['bucket', WRITES, ['replication', 'requestPayment', 'website']],
  ['object', WRITES, ['legal-hold', 'retention']],
  ['object', ['POST'], ['restore', 'select']],
  ['object', ['GET'], ['torrent']],
]

export const notImplemented: Operation[] = MISSING.flatMap(([level, methods, queries]) =>
  methods.flatMap((method) => queries.map((query) => missing(level, method, query))),
)

function missing(level: Operation['level'], method: Method, query: string): Operation {
  return {
    name: `${method} ${level} ?${query}`,
    method,
    level,
    query: [query],
    // Nothing is done and nothing told, so no right is needed.
    action: undefined,
    handle() {
      throw new S3Error(
        'NotImplemented',
        'A header or query you provided implies functionality that is not implemented.',
      )
    },
  }
}
