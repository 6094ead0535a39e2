import type { TenantEncryption } from '@stowage/contract/tenants/create-tenant'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { kesFiles, kesLayout, keyStoreType } from './kes-configuration.ts'

test.each([
  ['minio/kes:v0.16.1', 'keys'],
  ['minio/kes:v0.20.9', 'keys'],
  // The key server of v0.21.1 ignores the older layout: it then loses all keys when it stops.
  ['minio/kes:v0.21.0', 'keystore'],
  ['minio/kes:v0.22.0', 'keystore'],
  ['minio/kes:2023-02-15T14-54-37Z', 'keystore'],
  ['minio/kes:2024-01-11T13-09-29Z', 'keystore'],
  ['registry.example:5000/kes@sha256:abc', 'keystore'],
  ['registry.example:5000/kes:v0.17.0@sha256:abc', 'keys'],
  ['minio/kes:latest', 'keystore'],
])('the configuration for %s has the section %s', (image, layout) => {
  expect(kesLayout(image)).toBe(layout)
})

const stores: [string, TenantEncryption, endpoint: string, store: object][] = [
  [
    'vault',
    {
      vault: {
        endpoint: 'https://vault.example:8200',
        prefix: 'p',
        approle: { id: 'role', secret: 's', retry: 7 },
        status: { ping: 3 },
      },
    },
    'https://vault.example:8200',
    {
      vault: {
        endpoint: 'https://vault.example:8200',
        prefix: 'p',
        approle: { id: 'role', secret: 's', retry: '7s' },
        status: { ping: '3s' },
      },
    },
  ],
  [
    'aws',
    {
      aws: {
        secretsmanager: {
          endpoint: 'https://secretsmanager.example',
          region: 'eu-1',
          credentials: { accesskey: 'a', secretkey: 's' },
        },
      },
    },
    'https://secretsmanager.example',
    {
      aws: {
        secretsmanager: {
          endpoint: 'https://secretsmanager.example',
          region: 'eu-1',
          credentials: { accesskey: 'a', secretkey: 's' },
        },
      },
    },
  ],
  [
    'gemalto',
    { gemalto: { keysecure: { endpoint: 'https://k', credentials: { token: 't', domain: 'd', retry: 4 } } } },
    'https://k',
    { gemalto: { keysecure: { endpoint: 'https://k', credentials: { token: 't', domain: 'd', retry: '4s' } } } },
  ],
  [
    'gcp',
    { gcp: { secretmanager: { project_id: 'p', credentials: { client_email: 'a@example.com', private_key: 'k' } } } },
    '',
    { gcp: { secretmanager: { project_id: 'p', credentials: { client_email: 'a@example.com', private_key: 'k' } } } },
  ],
  [
    'azure',
    {
      azure: {
        keyvault: {
          endpoint: 'https://v.vault.azure.net',
          credentials: { tenant_id: 't', client_id: 'c', client_secret: 's' },
        },
      },
    },
    'https://v.vault.azure.net',
    {
      azure: {
        keyvault: {
          endpoint: 'https://v.vault.azure.net',
          credentials: { tenant_id: 't', client_id: 'c', client_secret: 's' },
        },
      },
    },
  ],
]

test.each(stores)('%s is written in both layouts, and recognized', (type, encryption, endpoint, store) => {
  for (const [image, section, other] of [
    ['minio/kes:v0.16.1', 'keys', 'keystore'],
    ['minio/kes:2024-01-11T13-09-29Z', 'keystore', 'keys'],
  ] as const) {
    const { configuration, client } = kesFiles({ ...encryption, image }, undefined)
    const written = parse(configuration) as Record<string, unknown>
    expect(written[section]).toEqual(store)
    expect(written[other]).toBeUndefined()
    expect(client).toEqual({})
    expect(keyStoreType(written)).toEqual({ type, endpoint })
  }
})

test('without values Vault is retried after 15 s and pinged every 10 s', () => {
  const vault = { endpoint: 'https://v', approle: { id: 'i', secret: 's' } }
  const { keystore } = parse(kesFiles({ vault, image: 'minio/kes:latest' }, undefined).configuration) as {
    keystore: unknown
  }
  expect(keystore).toMatchObject({ vault: { approle: { retry: '15s' }, status: { ping: '10s' } } })
})
