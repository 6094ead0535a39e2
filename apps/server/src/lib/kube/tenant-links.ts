import { hash } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { createEgress, type Egress, type EgressOptions, type EgressRules, type RefusedPeer } from '@stowage/egress'
import { type Kube, KubeError, resources, type SavedKubeObject, type TenantObject } from '@stowage/kube'
import { LRUCache } from 'lru-cache'

/** Maximum number of tenants whose connections are kept open. */
const KEPT = 64

export interface TenantLink {
  /** Scheme, host and port of a service of the tenant. */
  readonly origin: string
  /** Checks each connection, and the tenant's certificate. */
  readonly egress: Egress
}

export interface TenantLinkOptions {
  rules: EgressRules
  ownPorts: () => readonly number[]
  refusedPeers: () => readonly RefusedPeer[]
  clusterDomain: string
  /** URL template with placeholders, if tenants are not reached by their names in the cluster. */
  template: string | undefined
  /** Authority of the certificates of the cluster's services (PEM). */
  clusterCa: string | undefined
}

export interface LinkTimeouts {
  headersTimeoutMs: number
  bodyTimeoutMs: number
  signal: AbortSignal
}

/** A service of a tenant: its S3 API or its console. */
export type TenantService = 'minio' | 'console'

const PORTS = { minio: { http: 80, https: 443 }, console: { http: 9090, https: 9443 } } as const

/** Connections to the services of tenants. Each has its own certificate authorities, and each address is checked. */
export class TenantLinks {
  readonly #egresses = new LRUCache<string, Egress>({
    max: KEPT,
    dispose: (egress) => void egress.close(),
  })

  constructor(private readonly options: TenantLinkOptions) {}

  /** @param kube reads the tenant's certificate authorities, with the caller's rights */
  async to(
    service: TenantService,
    tenant: SavedKubeObject<TenantObject>,
    tls: boolean,
    kube: Kube,
    signal?: AbortSignal,
  ): Promise<TenantLink> {
    const [origin, ca] = await Promise.all([
      this.#serviceOrigin(service, tenant, tls, kube, signal),
      this.#readAuthorities(tenant, kube, signal),
    ])
    return { origin, egress: this.#egress(ca) }
  }

  /** The same with separate connections, for long streams; the caller closes them. */
  async open(
    service: TenantService,
    tenant: SavedKubeObject<TenantObject>,
    tls: boolean,
    kube: Kube,
    { headersTimeoutMs, bodyTimeoutMs, signal }: LinkTimeouts,
  ): Promise<TenantLink & { key: string }> {
    const [origin, ca] = await Promise.all([
      this.#serviceOrigin(service, tenant, tls, kube, signal),
      this.#readAuthorities(tenant, kube, signal),
    ])
    const egress = this.#create(ca, { headersTimeoutMs, bodyTimeoutMs })
    return { origin, egress, key: hash('sha256', [origin, ...ca].join('\n')) }
  }

  async close(): Promise<void> {
    this.#egresses.clear()
  }

  #egress(ca: string[]): Egress {
    const key = hash('sha256', ca.join('\n'))
    const known = this.#egresses.get(key)
    if (known) return known
    const egress = this.#create(ca)
    this.#egresses.set(key, egress)
    return egress
  }

  #create(ca: string[], timeouts: Pick<EgressOptions, 'headersTimeoutMs' | 'bodyTimeoutMs'> = {}): Egress {
    const { rules, ownPorts, refusedPeers } = this.options
    return createEgress({ ...rules, ...timeouts, ownPorts, refusedPeers, ca: [...rootCertificates, ...ca] })
  }

  async #serviceOrigin(
    service: TenantService,
    { metadata }: SavedKubeObject<TenantObject>,
    tls: boolean,
    kube: Kube,
    signal?: AbortSignal,
  ): Promise<string> {
    const scheme = tls ? 'https' : 'http'
    const name = service === 'minio' ? 'minio' : `${metadata.name}-console`
    const namespace = metadata.namespace ?? ''
    const port = PORTS[service][scheme]
    const { template, clusterDomain } = this.options
    if (template === undefined) return `${scheme}://${name}.${namespace}.svc.${clusterDomain}:${port}`
    const nodePort = template.includes('{nodePort}') ? await readNodePort(kube, namespace, name, port, signal) : ''
    return template
      .replaceAll('{namespace}', namespace)
      .replaceAll('{tenant}', metadata.name)
      .replaceAll('{service}', name)
      .replaceAll('{port}', String(port))
      .replaceAll('{nodePort}', nodePort)
  }

  /** Returns the cluster's authority, the one of certificates made by the operator, and those that the tenant configures. */
  async #readAuthorities(tenant: SavedKubeObject<TenantObject>, kube: Kube, signal?: AbortSignal): Promise<string[]> {
    const { namespace, name } = tenant.metadata
    const secrets = [`${name}-tls`, ...(tenant.spec?.externalCaCertSecret ?? []).map((each) => each.name)]
    const read = secrets.map(async (secret) => {
      try {
        const { data = {} } = await kube.get(resources.secrets, { namespace, name: secret }, signal ? { signal } : {})
        const pem = data['ca.crt'] ?? data['public.crt'] ?? data['tls.crt']
        return pem === undefined ? [] : [Buffer.from(pem, 'base64').toString('utf8')]
      } catch (error) {
        if (error instanceof KubeError && (error.code === 'NotFound' || error.code === 'Forbidden')) return []
        throw error
      }
    })
    const own = (await Promise.all(read)).flat()
    return this.options.clusterCa === undefined ? own : [this.options.clusterCa, ...own]
  }
}

async function readNodePort(
  kube: Kube,
  namespace: string,
  name: string,
  port: number,
  signal?: AbortSignal,
): Promise<string> {
  const { spec } = await kube.get(resources.services, { namespace, name }, signal ? { signal } : {})
  const found = spec?.ports?.find((each) => each.port === port) ?? spec?.ports?.[0]
  return String(found?.nodePort ?? port)
}
