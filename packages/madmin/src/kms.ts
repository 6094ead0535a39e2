import { at, listOf, textOf, timeOf } from './json.ts'
import type { CallOptions, Transport } from './transport.ts'

export interface KmsKey {
  readonly name: string
  /** RFC 3339; absent if the server does not report it. */
  readonly created?: string
}

/**
 * Lists the keys for SSE-KMS, by name. Needs `kms:ListKeys`.
 * @throws MadminError NotImplemented if the server has no key store, AccessDenied
 */
export async function listKmsKeys(t: Transport, options?: CallOptions): Promise<KmsKey[]> {
  const query = { pattern: '*' }
  const keys = listOf(await t.call({ method: 'GET', prefix: '/minio/kms/v1/', path: 'key/list', query, ...options }))
  return keys
    .map((key) => ({ name: textOf(at(key, 'name')), created: timeOf(at(key, 'createdAt')) }))
    .filter(({ name }) => name !== '')
    .map(({ name, created }) => (created === undefined ? { name } : { name, created }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
