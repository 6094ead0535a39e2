import { type Kube, resources, type SavedKubeObject, TENANT_LABEL, type TenantObject } from '@stowage/kube'
import { createCertificateRequest } from '@stowage/sandbox-kube/pki'
import { OPERATOR_COMPONENT, recordEvent } from './record-event.ts'
import { ownedMetadata } from './tenant-objects.ts'
import { createIfMissing, undefinedIfMissing } from './watch-cache.ts'

/** Gets the certificates of tenants from the cluster, as the operator does. */
export class TenantCertificates {
  /** Private keys of requested certificates, by the tenant's UID. */
  readonly #keys = new Map<string, string>()

  /** @param checkAgain called with the tenant's namespace and name while its certificate is awaited */
  constructor(
    private readonly kube: Kube,
    private readonly checkAgain: (tenant: string) => void,
  ) {}

  /** Requests the certificate of a tenant from the cluster. @returns whether it is not there yet */
  async make(tenant: SavedKubeObject<TenantObject>): Promise<boolean> {
    const { kube } = this
    const { namespace, name } = tenant.metadata
    if (tenant.spec?.requestAutoCert === false) return false
    const secret = `${name}-tls`
    if (await undefinedIfMissing(kube.get(resources.secrets, { namespace, name: secret }))) return false
    const key = this.#keys.get(tenant.metadata.uid)
    const at = { name: `${name}-${namespace}-csr` }
    const request = await undefinedIfMissing(kube.get(resources.certificateSigningRequests, at))
    if (!request || !key) {
      // A request of an earlier run or tenant: its key is lost.
      if (request) await undefinedIfMissing(kube.delete(resources.certificateSigningRequests, at))
      await this.#request(tenant, at.name)
    } else if (request.status?.certificate) {
      const data = { 'public.crt': request.status.certificate, 'private.key': base64(key) }
      await createIfMissing(kube, resources.secrets, { metadata: ownedMetadata(tenant, secret), data, type: 'Opaque' })
      this.#keys.delete(tenant.metadata.uid)
      return false
    } else this.checkAgain(`${namespace}/${name}`)
    return true
  }

  async #request(tenant: SavedKubeObject<TenantObject>, name: string): Promise<void> {
    const { kube } = this
    const { namespace, uid } = tenant.metadata
    const domain = `${namespace}.svc.cluster.local`
    const { request, key } = await createCertificateRequest({
      commonName: `system:node:*.${tenant.metadata.name}-hl.${domain}`,
      organizations: ['system:nodes'],
      dnsNames: [`*.${tenant.metadata.name}-hl.${domain}`, `minio.${domain}`, `minio.${namespace}`, `*.${domain}`],
    })
    this.#keys.set(uid, key)
    const made = await kube.create(resources.certificateSigningRequests, {
      metadata: { name, labels: { [TENANT_LABEL]: tenant.metadata.name } },
      spec: {
        request: base64(request),
        signerName: 'kubernetes.io/kubelet-serving',
        usages: ['digital signature', 'key encipherment', 'server auth'],
      },
    })
    const approved = { type: 'Approved', status: 'True', reason: 'MinIOOperatorAutoApproval', message: 'Approved' }
    await kube.update(
      resources.certificateSigningRequests,
      { ...made, status: { conditions: [approved] } },
      { subresource: 'approval' },
    )
    await recordEvent(kube, tenant, {
      reason: 'CSRCreated',
      message: 'MinIO CSR Created',
      component: OPERATOR_COMPONENT,
    })
  }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
