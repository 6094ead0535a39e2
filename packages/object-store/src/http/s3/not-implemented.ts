import { S3Error } from '../../errors.ts'
import type { Operation } from './operation.ts'

const METHODS = ['GET', 'PUT', 'DELETE', 'POST'] as const
const ALL = METHODS
const WRITES = ['PUT', 'DELETE'] as const

/** Sub-resources of S3 that the store does not have: an honest answer is better than a listing or a stored object. */
const MISSING: { level: Operation['level']; query: string; methods: readonly (typeof METHODS)[number][] }[] = [
  { level: 'bucket', query: 'publicAccessBlock', methods: ALL },
  { level: 'bucket', query: 'ownershipControls', methods: ALL },
  { level: 'bucket', query: 'analytics', methods: ALL },
  { level: 'bucket', query: 'inventory', methods: ALL },
  { level: 'bucket', query: 'intelligent-tiering', methods: ALL },
  { level: 'bucket', query: 'metrics', methods: ALL },
  { level: 'service', query: 'events', methods: ['GET'] },
  { level: 'bucket', query: 'events', methods: ['GET'] },
  { level: 'bucket', query: 'accelerate', methods: WRITES },
  { level: 'bucket', query: 'logging', methods: WRITES },
  { level: 'bucket', query: 'requestPayment', methods: WRITES },
  { level: 'bucket', query: 'website', methods: WRITES },
  { level: 'bucket', query: 'cors', methods: WRITES },
  { level: 'bucket', query: 'encryption', methods: WRITES },
  { level: 'bucket', query: 'lifecycle', methods: WRITES },
  { level: 'bucket', query: 'notification', methods: WRITES },
  { level: 'bucket', query: 'object-lock', methods: WRITES },
  { level: 'bucket', query: 'replication', methods: WRITES },
  { level: 'object', query: 'legal-hold', methods: WRITES },
  { level: 'object', query: 'retention', methods: WRITES },
  { level: 'object', query: 'restore', methods: ['POST'] },
  { level: 'object', query: 'select', methods: ['POST'] },
  { level: 'object', query: 'torrent', methods: ['GET'] },
]

export const notImplemented: Operation[] = MISSING.flatMap(({ level, query, methods }) =>
  methods.map((method) => ({
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
  })),
)
