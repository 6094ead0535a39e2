import type { Input } from '@stowage/contract'
import { GiB } from '@stowage/contract/values/units'
import { certificateBody, isCompletePair, selectedCertificates } from '../../certificates/certificate-pairs.ts'
import { defaultAffinity, nodeAffinity } from '../../cluster/affinity.ts'
import type { ClusterFacts } from './cluster-facts.ts'
import { completeNodeLabels, mayEncrypt } from './draft-problems.ts'
import { draftSizing } from './draft-sizing.ts'
import { encryptionBody } from './encryption-body.ts'
import { type TenantDraft, UNIT_BYTES } from './tenant-draft.ts'
import type { AddOn } from './wizard-fields.ts'
import { ADD_ONS } from './wizard-fields.ts'

type Body = Input<'createTenant'>['body']

const POOL = 'pool-0'

/** Returns the body of the call that creates the tenant of a draft. */
export function createTenantBody(draft: TenantDraft, facts: ClusterFacts): Body {
  const { advancedModeOn: advanced, nameTenant, configure, security, tenantSize } = draft
  const { distribution, ecParity, memorySize } = draftSizing(draft, facts)
  const affinity = draftAffinity(draft)
  const [logSearch, prometheus] = ADD_ONS.map((override) => addOnBody(draft, override))
  return {
    name: nameTenant.tenantName,
    namespace: nameTenant.namespace,
    access_key: '',
    secret_key: '',
    enable_tls: !advanced || (security.enableTLS && security.enableAutoCert),
    enable_console: true,
    enable_prometheus: true,
    image: advanced && configure.customImage ? configure.imageName : '',
    expose_minio: !advanced || configure.exposeMinIO,
    expose_console: !advanced || configure.exposeConsole,
    pools: [
      {
        name: POOL,
        servers: Number(tenantSize.nodes),
        volumes_per_server: Number(tenantSize.drivesPerServer),
        volume_configuration: { size: distribution.size, storage_class_name: nameTenant.selectedStorageClass },
        resources: { requests: { memory: memorySize.request }, limits: { memory: memorySize.limit } },
        ...(affinity ? { affinity } : {}),
      },
    ],
    ...(ecParity ? { erasureCodingParity: Number(ecParity.slice('EC:'.length)) } : {}),
    ...(advanced && configure.customImage && configure.customDockerhub
      ? {
          image_registry: {
            registry: configure.imageRegistry,
            username: configure.imageRegistryUsername,
            password: configure.imageRegistryPassword,
          },
        }
      : {}),
    logSearchConfiguration: {
      ...logSearch,
      image: configure.logSearchImage,
      postgres_image: configure.logSearchPostgresImage,
      postgres_init_image: configure.logSearchPostgresInitImage,
    },
    prometheusConfiguration: {
      ...prometheus,
      image: configure.prometheusImage,
      sidecar_image: configure.prometheusSidecarImage,
      init_image: configure.prometheusInitImage,
    },
    ...(advanced ? { tls: tlsBody(draft) } : {}),
    ...(advanced && draft.encryption.enableEncryption && mayEncrypt(draft)
      ? { encryption: encryptionBody(draft) }
      : {}),
    idp: identityProviderBody(draft),
  }
}

/** Returns the storage class and size (GiB) if they are set; otherwise the tenant's storage class. */
function addOnBody({ advancedModeOn, configure, nameTenant }: TenantDraft, override: AddOn) {
  if (!advancedModeOn || !configure[override.custom]) return { storageClass: nameTenant.selectedStorageClass }
  const bytes = Number(configure[override.size]) * UNIT_BYTES[configure[override.sizeFactor]]
  return { storageClass: configure[override.storageClass], storageSize: bytes / GiB }
}

function draftAffinity(draft: TenantDraft) {
  const tenant = draft.nameTenant.tenantName
  const { podAffinity, withPodAntiAffinity } = draft.affinity
  if (!draft.advancedModeOn || podAffinity === 'default') return defaultAffinity(tenant, POOL)
  if (podAffinity === 'none') return undefined
  return nodeAffinity(completeNodeLabels(draft), withPodAntiAffinity ? { tenant, pool: POOL } : undefined)
}

function tlsBody({ security, certificates }: TenantDraft): Body['tls'] {
  const custom = security.enableTLS && security.enableCustomCerts
  if (!custom) return { minio: [], ca_certificates: [], console_ca_certificates: [] }
  return {
    minio: certificates.minioCertificates.filter(isCompletePair).map(certificateBody),
    ...(isCompletePair(certificates.consoleCertificate)
      ? { console: certificateBody(certificates.consoleCertificate) }
      : {}),
    ca_certificates: selectedCertificates(certificates.caCertificates),
    console_ca_certificates: selectedCertificates(certificates.consoleCaCertificates),
  }
}

function identityProviderBody({ advancedModeOn, identityProvider }: TenantDraft): Body['idp'] {
  const { idpSelection, accessKeys, secretKeys, openID, activeDirectory, userDNs } = identityProvider
  if (!advancedModeOn || idpSelection === 'Built-in')
    return { keys: accessKeys.map((access_key, index) => ({ access_key, secret_key: secretKeys[index] ?? '' })) }
  if (idpSelection === 'OpenID') return { oidc: openID }
  return { active_directory: { ...activeDirectory, user_dns: [...userDNs] } }
}
