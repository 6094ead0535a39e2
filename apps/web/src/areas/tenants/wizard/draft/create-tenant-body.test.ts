import { GiB } from '@stowage/contract/values/units'
import { expect, test } from 'vitest'
import { emptyCertificatePair } from '../../certificates/certificate-pairs.ts'
import type { ClusterFacts } from './cluster-facts.ts'
import { createTenantBody } from './create-tenant-body.ts'
import { type DraftSection, newTenantDraft, type TenantDraft, updateDraft } from './tenant-draft.ts'

const facts: ClusterFacts = { namespace: '', classes: [], memory: 16 * GiB, memoryProblem: '' }
const pair = (name: string) => ({
  ...emptyCertificatePair(),
  cert: `${name}.crt`,
  key: `${name}.key`,
  encoded_cert: `${name}-cert`,
  encoded_key: `${name}-key`,
})

function body(changes: { [S in DraftSection]?: Partial<TenantDraft[S]> } = {}, advancedModeOn = true) {
  const named = updateDraft(newTenantDraft(), 'nameTenant', {
    tenantName: 'media',
    namespace: 'team-a',
    selectedStorageClass: 'standard',
  })
  const draft = (Object.entries(changes) as [DraftSection, never][]).reduce(
    (before, [section, part]) => updateDraft(before, section, part),
    { ...named, advancedModeOn } as TenantDraft,
  )
  return createTenantBody(draft, facts)
}

test('Vault is sent with its app role, its own certificate and its authority [WIZ-29]', () => {
  const { encryption } = body({
    encryption: {
      enableEncryption: true,
      enableCustomCertsForKES: true,
      vault: {
        endpoint: 'https://vault',
        engine: 'kv',
        namespace: 'ns',
        prefix: 'p',
        approleEngine: 'approle',
        id: 'role',
        secret: 'hidden',
        retry: '5',
        ping: '7',
      },
    },
    certificates: {
      serverCertificate: pair('server'),
      clientCertificate: pair('client'),
      vaultCertificate: pair('vault'),
      vaultCA: pair('authority'),
    },
  })
  expect(encryption).toEqual({
    image: '',
    replicas: '1',
    server: { crt: 'server-cert', key: 'server-key' },
    client: { crt: 'client-cert', key: 'client-key' },
    vault: {
      endpoint: 'https://vault',
      engine: 'kv',
      namespace: 'ns',
      prefix: 'p',
      approle: { engine: 'approle', id: 'role', secret: 'hidden', retry: 5 },
      tls: { crt: 'vault-cert', key: 'vault-key', ca: 'authority-cert' },
      status: { ping: 7 },
    },
  })
})

test('GCP, AWS and Gemalto are sent with all of their fields [WIZ-30]', () => {
  const sent = (
    encryption: Partial<TenantDraft['encryption']>,
    certificates: Partial<TenantDraft['certificates']> = {},
  ) => body({ encryption: { enableEncryption: true, ...encryption }, certificates }).encryption
  const gcp = {
    project_id: 'p',
    endpoint: 'e',
    client_email: 'm',
    client_id: 'c',
    private_key_id: 'i',
    private_key: 'k',
  }
  const { project_id, endpoint, ...credentials } = gcp
  expect(sent({ encryptionType: 'gcp', gcp })).toMatchObject({
    gcp: { secretmanager: { project_id, endpoint, credentials } },
  })
  expect(
    sent({
      encryptionType: 'aws',
      aws: { endpoint: 'e', region: 'r', kmskey: 'k', accesskey: 'a', secretkey: 's', token: 't' },
    }),
  ).toMatchObject({
    aws: {
      secretsmanager: {
        endpoint: 'e',
        region: 'r',
        kmskey: 'k',
        credentials: { accesskey: 'a', secretkey: 's', token: 't' },
      },
    },
  })
  const gemalto = { endpoint: 'e', token: 't', domain: 'd', retry: '3' }
  expect(sent({ encryptionType: 'gemalto', gemalto }, { gemaltoCA: pair('authority') })).toMatchObject({
    gemalto: {
      keysecure: {
        endpoint: 'e',
        credentials: { token: 't', domain: 'd', retry: 3 },
        tls: { ca: 'authority-cert' },
      },
    },
  })
  // An authority that was not selected is omitted: the server rejects an empty one.
  expect(sent({ encryptionType: 'gemalto', gemalto })?.gemalto?.keysecure).not.toHaveProperty('tls')
})

test('certificates are sent if they are in use, and complete pairs only [WIZ-55]', () => {
  const certificates = {
    minioCertificates: [pair('one'), { ...pair('half'), encoded_key: '' }],
    caCertificates: [pair('authority'), emptyCertificatePair()],
    consoleCertificate: pair('console'),
    consoleCaCertificates: [pair('other')],
  }
  expect(body({ security: { enableCustomCerts: true }, certificates }).tls).toEqual({
    minio: [{ crt: 'one-cert', key: 'one-key' }],
    console: { crt: 'console-cert', key: 'console-key' },
    ca_certificates: ['authority-cert'],
    console_ca_certificates: ['other-cert'],
  })
  const half = { ...certificates, consoleCertificate: { ...pair('console'), encoded_key: '' } }
  expect(body({ security: { enableCustomCerts: true }, certificates: half }).tls).not.toHaveProperty('console')
  const none = { minio: [], ca_certificates: [], console_ca_certificates: [] }
  expect(body({ security: { enableCustomCerts: false }, certificates }).tls).toEqual(none)
  expect(body({ security: { enableTLS: false, enableCustomCerts: true }, certificates }).tls).toEqual(none)
})

test('the volumes beside the servers are sent in GiB, with the tenant’s class by default [WIZ-17]', () => {
  const sent = body({
    configure: {
      logSearchCustom: true,
      logSearchVolumeSize: '2',
      logSearchSizeFactor: 'Ti',
      logSearchSelectedStorageClass: 'fast',
    },
  })
  expect(sent.logSearchConfiguration).toMatchObject({ storageClass: 'fast', storageSize: 2048 })
  expect(sent.prometheusConfiguration).toMatchObject({ storageClass: 'standard' })
  expect(sent.prometheusConfiguration).not.toHaveProperty('storageSize')
})

test('in simple mode nothing from the other steps is sent', () => {
  const hidden = {
    configure: { exposeMinIO: false, customImage: true, imageName: 'x/y:z' },
    security: { enableTLS: false },
  }
  expect(body(hidden, false)).toMatchObject({ expose_minio: true, image: '', enable_tls: true })
  expect(body(hidden)).toMatchObject({ expose_minio: false, image: 'x/y:z', enable_tls: false })
})
