import { reason } from '@stowage/contract'
import { createTenantCalls } from '@stowage/contract/tenants/create-tenant'
import { tenantPoolCalls } from '@stowage/contract/tenants/pools'
import { tenantCalls } from '@stowage/contract/tenants/tenant'
import { KubeError, resources, type SavedKubeObject, TENANT_LABEL, type TenantObject, tenants } from '@stowage/kube'
import type { FastifyInstance } from 'fastify'
import type { Secret } from 'kubernetes-types/core/v1'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { serveOperator } from '../../lib/http/serve.ts'
import type { TenantLinks } from '../../lib/kube/tenant-links.ts'
import { readLicense } from '../../lib/license/read-license.ts'
import { clusterResourceRoutes } from './cluster/cluster-resource-routes.ts'
import { convertConfiguration } from './configuration/tenant-configuration.ts'
import { attachLicense, readClusterLicenseIfAllowed } from './configuration/tenant-license.ts'
import { createdTenantAnswer, createTenant, previewTenant } from './create-and-delete/create-tenant.ts'
import { deleteTenant } from './create-and-delete/delete-tenant.ts'
import { dockerConfig, newTenantObjects, SCRAPE_ANNOTATIONS } from './create-and-delete/new-tenant-objects.ts'
import { tenantLeftoverRoutes } from './create-and-delete/tenant-leftovers.ts'
import { describeTenant, type ReadTenantLicense, wireTenantItem } from './details/describe-tenant.ts'
import { errorMessage, tenantAdmin } from './details/tenant-admin.ts'
import { tenantDriftRoutes } from './details/tenant-drift-routes.ts'
import { tenantYaml, updateTenantYaml } from './details/tenant-yaml.ts'
import { drainPoolRoutes } from './drain/drain-pools.ts'
import { changeTenant, readTenant } from './kube-objects/change-tenant.ts'
import { encodeSecretData } from './kube-objects/encode-secret.ts'
import { listInNamespaces } from './kube-objects/list-in-namespaces.ts'
import { SecretChanges } from './kube-objects/secret-changes.ts'
import { readSupportedTenantFields } from './kube-objects/supported-tenant-fields.ts'
import { tenantSchemaRoutes } from './kube-objects/tenant-schema.ts'
import { tenantPodRoutes } from './pods/pod-routes.ts'
import { checkGrowth } from './pools/pool-growth.ts'
import { poolObject, replacePools } from './pools/pool-object.ts'
import { tenantAdministratorRoutes } from './security/tenant-administrators.ts'
import { tenantSecurityRoutes } from './security/tenant-security-routes.ts'
import { tenantOverviewRoutes } from './tenant-overview-routes.ts'

/** Timeout of a tenant's answer with its usage (ms). */
const USAGE_MS = 10_000

export interface TenantRouteOptions {
  links: TenantLinks
  /** The image of new tenants that name none. */
  image: string | undefined
  /** Namespace of the console's own objects. */
  ownNamespace: string
  /** File with the public key for checking licenses of tenants; without it, no license is valid. */
  licenseKeyFile: string | undefined
}

export function tenantRoutes(
  app: FastifyInstance,
  { links, image, ownNamespace, licenseKeyFile: keyFile }: TenantRouteOptions,
): void {
  const readTenantLicense: ReadTenantLicense = async (token) => {
    if (keyFile === undefined) return null
    try {
      return await readLicense({ token, keyFile })
    } catch (error) {
      app.log.debug({ err: error }, 'the license of a tenant is not valid')
      return null
    }
  }
  /** Namespaces in which a tenant is being created: a second click on Create must not replace the secrets of the first. */
  const creating = new Set<string>()

  serveOperator(app, tenantCalls.listTenants, async ({ query }, { kube, signal }) => {
    return tenantListPage(await listInNamespaces(kube, tenants, query.namespaces, { signal }), query)
  })

  serveOperator(app, tenantCalls.listNamespaceTenants, async ({ params, query }, { kube, signal }) => {
    const { objects } = await kube.list(tenants, { namespace: params.namespace, signal })
    return tenantListPage(objects, query)
  })

  serveOperator(app, createTenantCalls.createTenant, async ({ body }, { kube, signal }) => {
    if (creating.has(body.namespace)) throw new HttpError(409, reason('tenant-exists', { tenant: body.name }))
    creating.add(body.namespace)
    try {
      const [generation, license] = await Promise.all([
        readSupportedTenantFields(kube, signal),
        readClusterLicenseIfAllowed(kube, ownNamespace, signal),
      ])
      await createTenant(kube, newTenantObjects(body, { generation, image, license }), signal)
      return createdTenantAnswer(body)
    } finally {
      creating.delete(body.namespace)
    }
  })

  serveOperator(app, createTenantCalls.previewTenant, async ({ body }, { kube, signal }) => {
    const generation = await readSupportedTenantFields(kube, signal)
    return { objects: await previewTenant(kube, newTenantObjects(body, { generation, image }), signal) }
  })

  serveOperator(app, tenantCalls.createNamespace, async ({ body }, { kube, signal }) => {
    await kube.create(resources.namespaces, { metadata: { name: body.name } }, { signal })
  })

  serveOperator(app, tenantCalls.getTenant, async ({ params }, { kube, signal }) => {
    return await describeTenant(kube, await readTenant(kube, params, signal), readTenantLicense, signal)
  })

  serveOperator(app, tenantCalls.updateTenant, async ({ params, body }, { kube, signal }) => {
    const before = await readTenant(kube, params, signal)
    // As in a new tenant, the name of an existing secret wins over a registry.
    const registry = body.image_pull_secret ? undefined : body.image_registry
    const name = `${params.tenant}-regcred`
    const own = before.spec?.imagePullSecret?.name === name ? [name] : []
    const changes = new SecretChanges(kube, params, new Set(own))
    try {
      if (registry) await changes.put(pullSecret({ ...params, name }, registry))
      if (body.image) await convertConfiguration(kube, before, body.image, changes)
      await changeTenant(kube, params, ({ metadata, spec }) => {
        if (!spec) return
        if (body.image) spec.image = body.image
        if (body.image_pull_secret) spec.imagePullSecret = { name: body.image_pull_secret }
        else if (registry) spec.imagePullSecret = { name }
        // Do not add annotations to a tenant that has none.
        if (body.enable_prometheus !== undefined && metadata.annotations)
          metadata.annotations = withScrapeAnnotations(metadata.annotations, body.enable_prometheus)
      })
    } catch (error) {
      await changes.undoAfter(error)
      throw error
    }
  })

  serveOperator(app, tenantCalls.deleteTenant, async ({ params, body }, { kube, signal }) => {
    const volumes = body?.delete_pvcs ?? false
    await deleteTenant(kube, params, { volumes, secrets: volumes || (body?.delete_secrets ?? false) }, signal)
  })

  serveOperator(app, tenantCalls.getTenantYaml, async ({ params }, { kube, signal }) => {
    const tenant = await readTenant(kube, params, signal)
    return { yaml: tenantYaml(tenant), resourceVersion: tenant.metadata.resourceVersion }
  })

  serveOperator(app, tenantCalls.updateTenantYaml, async ({ params, body }, { kube, signal, request }) => {
    const reader = { threads: app.parserThreads, owner: app.requireSession(request).user }
    await updateTenantYaml(kube, params, body, reader, signal)
  })

  serveOperator(app, tenantCalls.getTenantUsage, async ({ params }, { kube, signal }) => {
    const tenant = await readTenant(kube, params, signal)
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(USAGE_MS)])
      const madmin = await tenantAdmin(kube, tenant, links, limit)
      const info = await madmin.serverInfo()
      const drives = info.servers.flatMap((server) => server.drives)
      return { used: info.usage.size ?? 0, disk_used: drives.reduce((sum, { usedspace }) => sum + usedspace, 0) }
    } catch (cause) {
      if (cause instanceof KubeError) throw cause
      throw new HttpError(502, reason('tenant-usage'), { detail: errorMessage(cause), cause })
    }
  })

  serveOperator(app, tenantPoolCalls.addTenantPool, async ({ params, body }, { kube, signal }) => {
    await changeTenant(
      kube,
      params,
      ({ spec }) => {
        if (!spec) return
        const taken = spec.pools.map(({ name }, index) => name || `ss-${index}`)
        spec.pools = [...spec.pools, poolObject(params.tenant, body, taken)]
      },
      signal,
    )
  })

  serveOperator(app, tenantPoolCalls.setTenantPools, async ({ params, body }, { kube, signal }) => {
    const changed = await changeTenant(
      kube,
      params,
      async ({ metadata, spec }) => {
        if (!spec) return
        if (body.generation !== undefined && body.generation !== metadata.generation)
          throw new HttpError(409, reason('tenant-changed'))
        const pools = replacePools(params.tenant, spec.pools, body.pools)
        await checkGrowth(kube, spec.pools, body.pools, signal)
        spec.pools = pools
      },
      signal,
    )
    return await describeTenant(kube, changed, readTenantLicense, signal)
  })

  serveOperator(app, tenantCalls.activateTenantLicense, async ({ params }, { kube, signal }) => {
    const license = await readClusterLicenseIfAllowed(kube, ownNamespace, signal)
    if (!license) throw new HttpError(404, reason('license-not-found'))
    await attachLicense(kube, params, license, signal)
  })

  tenantPodRoutes(app)
  tenantLeftoverRoutes(app, (namespace) => creating.has(namespace))
  tenantDriftRoutes(app)
  tenantSchemaRoutes(app)
  drainPoolRoutes(app, links)
  tenantSecurityRoutes(app)
  tenantAdministratorRoutes(app, links)
  clusterResourceRoutes(app)
  tenantOverviewRoutes(app)
}

/** Returns the requested part of a list; `total` is the length of the whole list. */
function tenantListPage(
  objects: readonly SavedKubeObject<TenantObject>[],
  query: { sort_by?: string | undefined; offset?: number | undefined; limit?: number | undefined },
) {
  const items = objects.map(wireTenantItem)
  const key = query.sort_by
  if (key && items.some((item) => Object.hasOwn(item, key)))
    items.sort((a, b) => compare(a[key as keyof typeof a], b[key as keyof typeof b]))
  const from = query.offset ?? 0
  return { tenants: items.slice(from, query.limit === undefined ? undefined : from + query.limit), total: items.length }
}

function compare(a: string | number | undefined, b: string | number | undefined): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a ?? '') < String(b ?? '') ? -1 : 1
}

function withScrapeAnnotations(annotations: Record<string, string>, on: boolean): Record<string, string> {
  const others = Object.entries(annotations).filter(([name]) => !Object.hasOwn(SCRAPE_ANNOTATIONS, name))
  return { ...Object.fromEntries(others), ...(on ? SCRAPE_ANNOTATIONS : {}) }
}

function pullSecret(
  { namespace, tenant, name }: { namespace: string; tenant: string; name: string },
  registry: Parameters<typeof dockerConfig>[0],
): Secret {
  const metadata = { name, namespace, labels: { [TENANT_LABEL]: tenant } }
  const data = encodeSecretData({ '.dockerconfigjson': dockerConfig(registry) })
  return { metadata, type: 'kubernetes.io/dockerconfigjson', data }
}
