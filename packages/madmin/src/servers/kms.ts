import { asList, asText, asTime, pickMember } from '../transport/json-values.ts'
import type { AdminCallOptions, Transport } from '../transport/transport.ts'

export interface KmsKey {
  readonly name: string
  /** RFC 3339; absent if the server does not report it. */
  readonly created?: string
}

/**
 * Lists the keys for SSE-KMS, by name. Needs `kms:ListKeys`.
 * @throws MadminError NotImplemented if the server has no key store, AccessDenied
 */
export async function listKmsKeys(t: Transport, options?: AdminCallOptions): Promise<KmsKey[]> {
  const query = { pattern: '*' }
  const keys = asList(await t.call({ method: 'GET', prefix: '/minio/kms/v1/', path: 'key/list', query, ...options }))
  return keys
    .map((key) => ({ name: asText(pickMember(key, 'name')), created: asTime(pickMember(key, 'createdAt')) }))
    .filter(({ name }) => name !== '')
    .map(({ name, created }) => (created === undefined ? { name } : { name, created }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
