import { compileGlob, globMatches } from '@stowage/iam-policy'
import type { StoreCall } from '../../call/call.ts'
import type { AdminEndpoint } from '../endpoint/admin-endpoint.ts'
import { queryParameter, requireIdentity } from '../endpoint/payload.ts'

/* Calls for the keys that encrypt objects: their names and whether they work. Key material is never returned. */

const DEFAULT_KEY = 'stowage-default-key'

/** Below `/minio/kms/v1/`. */
export const kmsEndpoints: AdminEndpoint[] = [
  {
    name: 'KMSStatus',
    method: 'GET',
    path: 'status',
    handle: sendStatus,
  },
  {
    name: 'KMSVersion',
    method: 'GET',
    path: 'version',
    handle: (call) => call.json({ version: 'v1' }),
  },
  {
    name: 'KMSListKeys',
    method: 'GET',
    path: 'key/list',
    handle(call) {
      const pattern = compileGlob(queryParameter(call, 'pattern') || '*', { questionMark: 'unit' })
      const keys = call.engine.listEncryptionKeys().filter(({ name }) => globMatches(pattern, name))
      call.json(
        keys.map(({ name, createdAt, createdBy }) => ({
          name,
          createdAt: new Date(createdAt).toISOString(),
          createdBy,
        })),
      )
    },
  },
  {
    name: 'KMSKeyStatus',
    method: 'GET',
    path: 'key/status',
    handle: sendKeyStatus,
  },
  {
    name: 'KMSCreateKey',
    method: 'POST',
    path: 'key/create',
    query: ['key-id'],
    handle: createKey,
  },
]

/** The same calls under their older paths, below `/minio/admin/v3/`. */
export const adminKmsEndpoints: AdminEndpoint[] = [
  { name: 'AdminKMSStatus', method: 'POST', path: 'kms/status', handle: sendStatus },
  {
    name: 'AdminKMSKeyStatus',
    method: 'GET',
    path: 'kms/key/status',
    handle: sendKeyStatus,
  },
  {
    name: 'AdminKMSCreateKey',
    method: 'POST',
    path: 'kms/key/create',
    query: ['key-id'],
    handle: createKey,
  },
]

function sendStatus(call: StoreCall): void {
  call.json({
    name: 'Stowage',
    'default-key-id': DEFAULT_KEY,
    endpoints: { [call.header('host') ?? '127.0.0.1']: 'online' },
    state: { KeyStoreReachable: true, KeyStoreAvailable: true },
  })
}

function sendKeyStatus(call: StoreCall): void {
  const name = queryParameter(call, 'key-id') || DEFAULT_KEY
  const missing = `There is no encryption key ${name}.`
  // The default key is created when it is first needed.
  const exists = name === DEFAULT_KEY || call.engine.hasEncryptionKey(name)
  call.json({ 'key-id': name, ...(!exists && { 'encryption-error': missing, 'decryption-error': missing }) })
}

async function createKey(call: StoreCall): Promise<void> {
  await call.engine.createEncryptionKey(queryParameter(call, 'key-id'), requireIdentity(call).user)
  call.empty(200)
}
