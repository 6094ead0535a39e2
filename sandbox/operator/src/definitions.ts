import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1'

/** An OpenAPI schema in a definition. */
interface Schema {
  [word: string]: unknown
}

/** Releases of the operator whose definitions of a tenant keep different fields. */
export type OperatorRelease = '4.3' | '5' | '6' | '7'

const text: Schema = { type: 'string' }
const flag: Schema = { type: 'boolean' }
const count: Schema = { type: 'integer', format: 'int32' }
const bytes: Schema = { type: 'integer', format: 'int64' }
const texts: Schema = { type: 'object', additionalProperties: text }
const list = (items: Schema, more: Schema = {}): Schema => ({ type: 'array', items, ...more })
const object = (properties: Record<string, Schema>, required?: string[]): Schema => ({
  type: 'object',
  properties,
  ...(required ? { required } : {}),
})
/** Types defined and checked by Kubernetes itself: affinities, containers, claims. */
const anything: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const reference = object({ name: text })
const certificate = object({ name: text, type: text }, ['name'])
const securityContext = anything

/** Fields about where and how pods run. */
const placement = {
  annotations: texts,
  labels: texts,
  resources: anything,
  nodeSelector: texts,
  affinity: anything,
  tolerations: list(anything),
  topologySpreadConstraints: list(anything),
  securityContext,
  serviceAccountName: text,
}

const isSince = (release: OperatorRelease, first: OperatorRelease) => release >= first

function pool(release: OperatorRelease): Schema {
  const fixed = (name: string): Schema =>
    isSince(release, '6')
      ? { ...count, 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: `${name} is immutable` }] }
      : count
  const { serviceAccountName: _, ...own } = placement
  const properties = {
    ...own,
    name: isSince(release, '6') ? { ...text, minLength: 1 } : text,
    servers: fixed('servers'),
    volumesPerServer: fixed('volumesPerServer'),
    volumeClaimTemplate: anything,
    ...(isSince(release, '5') ? { runtimeClassName: text, containerSecurityContext: anything } : {}),
  }
  const required = ['servers', 'volumeClaimTemplate', 'volumesPerServer']
  return object(properties, isSince(release, '6') ? ['name', ...required] : required)
}

const logSearch = object({
  ...placement,
  image: text,
  audit: object({ diskCapacityGB: { type: 'integer' } }),
  db: object({ ...placement, image: text, initimage: text, volumeClaimTemplate: anything }),
})

const prometheus = object({
  ...placement,
  image: text,
  sidecarimage: text,
  initimage: text,
  diskCapacityGB: { type: 'integer' },
  storageClassName: text,
})

function spec(release: OperatorRelease): Schema {
  const pools = isSince(release, '6') ? { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] } : {}
  return object(
    {
      pools: list(pool(release), pools),
      image: text,
      imagePullSecret: reference,
      imagePullPolicy: text,
      podManagementPolicy: text,
      configuration: reference,
      env: list(anything),
      users: list(reference),
      mountPath: text,
      subPath: text,
      requestAutoCert: flag,
      externalCertSecret: list(certificate),
      externalCaCertSecret: list(certificate),
      externalClientCertSecret: certificate,
      certConfig: object({ commonName: text, organizationName: list(text), dnsNames: list(text) }),
      liveness: anything,
      readiness: anything,
      exposeServices: object({ minio: flag, console: flag }),
      serviceMetadata: object({
        minioServiceLabels: texts,
        minioServiceAnnotations: texts,
        consoleServiceLabels: texts,
        consoleServiceAnnotations: texts,
      }),
      serviceAccountName: text,
      priorityClassName: text,
      sideCars: anything,
      logging: object({ json: flag, anonymous: flag, quiet: flag }),
      kes: object(
        {
          ...placement,
          replicas: count,
          image: text,
          imagePullPolicy: text,
          kesSecret: reference,
          externalCertSecret: certificate,
          clientCertSecret: certificate,
          keyName: text,
          ...(isSince(release, '5')
            ? { gcpCredentialSecretName: text, gcpWorkloadIdentityPool: text, env: list(anything) }
            : {}),
        },
        ['kesSecret'],
      ),
      ...(isSince(release, '6') ? {} : { credsSecret: reference }),
      ...(isSince(release, '5')
        ? {
            features: object({
              bucketDNS: flag,
              domains: object({ minio: list(text), console: text }),
              enableSFTP: flag,
            }),
            buckets: list(object({ name: text, region: text, objectLock: flag })),
            prometheusOperator: flag,
            externalClientCertSecrets: list(certificate),
            startup: anything,
            initContainers: list(anything),
            additionalVolumes: list(anything),
            additionalVolumeMounts: list(anything),
          }
        : { s3: object({ bucketDNS: flag }), log: logSearch, prometheus, prometheusOperator: anything }),
      ...(isSince(release, '6') ? { certExpiryAlertThreshold: count, lifecycle: anything } : {}),
      ...(isSince(release, '7')
        ? {
            poolsMetadata: object({ labels: texts, annotations: texts }),
            prometheusOperatorScrapeMetricsPaths: list(text),
          }
        : {}),
    },
    ['pools'],
  )
}

function status(release: OperatorRelease): Schema {
  const ending = object({ certName: text, domains: list(text), expiry: text, expiresIn: text, serialNo: text })
  return object(
    {
      availableReplicas: count,
      currentState: text,
      revision: count,
      syncVersion: text,
      certificates: object({
        autoCertEnabled: { ...flag, nullable: true },
        ...(isSince(release, '6')
          ? { customCertificates: object({ client: list(ending), minio: list(ending), minioCAs: list(ending) }) }
          : {}),
      }),
      pools: {
        ...list(
          object({ ssName: text, state: text, legacySecurityContext: flag }, [
            'ssName',
            'state',
            'legacySecurityContext',
          ]),
        ),
        nullable: true,
      },
      writeQuorum: count,
      drivesOnline: count,
      drivesOffline: count,
      drivesHealing: count,
      healthStatus: text,
      healthMessage: text,
      waitingOnReady: { ...text, format: 'date-time' },
      usage: object({
        capacity: bytes,
        rawCapacity: bytes,
        usage: bytes,
        rawUsage: bytes,
        ...(isSince(release, '5') ? { tiers: list(object({ Name: text, Type: text, totalSize: bytes })) } : {}),
      }),
      provisionedUsers: flag,
      ...(isSince(release, '5') ? { provisionedBuckets: flag } : {}),
    },
    ['availableReplicas', 'certificates', 'currentState', 'pools', 'revision', 'syncVersion'],
  )
}

/** Returns the definition of a tenant in a release of the operator. It has only one version, so nothing is converted. */
export function tenantDefinition(release: OperatorRelease): CustomResourceDefinition {
  const schema = object(
    {
      apiVersion: text,
      kind: text,
      metadata: { type: 'object' },
      scheduler: object({ name: text }),
      spec: spec(release),
      status: status(release),
    },
    ['spec'],
  )
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'tenants.minio.min.io', annotations: { 'operator.min.io/version': `v${release}` } },
    spec: {
      group: 'minio.min.io',
      scope: 'Namespaced',
      names: { plural: 'tenants', singular: 'tenant', kind: 'Tenant', listKind: 'TenantList', shortNames: ['tenant'] },
      versions: [
        {
          name: 'v2',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema as never },
          subresources: { status: {} },
        },
      ],
    },
  }
}

/**
 * Returns the definition of a kind that is stored without validation: of direct-csi and DirectPV only some fields are used
 * here.
 */
function plainDefinition(group: string, version: string, kind: string): CustomResourceDefinition {
  const plural = `${kind.toLowerCase()}s`
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: anything as never } }],
    },
  }
}

export const directCsiDefinitions = (version: string): CustomResourceDefinition[] =>
  ['DirectCSIDrive', 'DirectCSIVolume'].map((kind) => plainDefinition('direct.csi.min.io', version, kind))

export const directPvDefinitions = (): CustomResourceDefinition[] =>
  ['DirectPVDrive', 'DirectPVVolume', 'DirectPVNode', 'DirectPVInitRequest'].map((kind) =>
    plainDefinition('directpv.min.io', 'v1beta1', kind),
  )
