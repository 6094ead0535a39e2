import type { Input } from '@stowage/contract'
import { type CertificatePair, certificateBody, isCompletePair } from '../../certificates/certificate-pairs.ts'
import type { TenantDraft } from './tenant-draft.ts'

type Encryption = NonNullable<Input<'createTenant'>['body']['encryption']>

const seconds = (text: string) => Number(text || 0)
const authority = ({ encoded_cert }: CertificatePair) => (encoded_cert === '' ? {} : { ca: encoded_cert })

/** Returns the key server of a draft and its key store. */
export function encryptionBody({ encryption, certificates, configure }: TenantDraft): Encryption {
  const own = encryption.enableCustomCertsForKES
  const { serverCertificate, clientCertificate } = certificates
  return {
    image: configure.customImage ? configure.kesImage : '',
    replicas: '1',
    ...(own && isCompletePair(serverCertificate) ? { server: certificateBody(serverCertificate) } : {}),
    ...(own && isCompletePair(clientCertificate) ? { client: certificateBody(clientCertificate) } : {}),
    ...keyStoreBody({ encryption, certificates }),
  }
}

function keyStoreBody({ encryption, certificates }: Pick<TenantDraft, 'encryption' | 'certificates'>): Encryption {
  const { vault, aws, gemalto, gcp } = encryption
  switch (encryption.encryptionType) {
    case 'vault': {
      const { endpoint, engine, namespace, prefix, approleEngine, id, secret, retry, ping } = vault
      const { vaultCertificate, vaultCA } = certificates
      const tls = {
        ...(isCompletePair(vaultCertificate) ? certificateBody(vaultCertificate) : {}),
        ...authority(vaultCA),
      }
      const approle = { engine: approleEngine, id, secret, retry: seconds(retry) }
      return { vault: { endpoint, engine, namespace, prefix, approle, tls, status: { ping: seconds(ping) } } }
    }
    case 'aws': {
      const { endpoint, region, kmskey, ...credentials } = aws
      return { aws: { secretsmanager: { endpoint, region, kmskey, credentials } } }
    }
    case 'gemalto': {
      const { endpoint, token, domain, retry } = gemalto
      const tls = authority(certificates.gemaltoCA)
      // The server rejects an empty one.
      const trusted = 'ca' in tls ? { tls } : {}
      return {
        gemalto: { keysecure: { endpoint, credentials: { token, domain, retry: seconds(retry) }, ...trusted } },
      }
    }
    case 'gcp': {
      const { project_id, endpoint, ...credentials } = gcp
      return { gcp: { secretmanager: { project_id, endpoint, credentials } } }
    }
  }
}
