import { reason, type Subscription } from '@stowage/contract'
import { licenseCalls } from '@stowage/contract/license/license'
import { tenants } from '@stowage/kube'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { serveOperator } from '../../lib/http/serve.ts'
import { readLicense } from '../../lib/license/read-license.ts'
import { attachLicense, readClusterLicense, writeClusterLicense } from '../tenants/configuration/tenant-license.ts'
import { issueLicense, renewLicense } from './subnet-client.ts'

export interface ClusterLicenseParts {
  /** Namespace of the secret that holds the license. */
  namespace: string
  /** File with the public key for checking licenses; without it, no license is accepted. */
  keyFile: string | undefined
  subnetUrl: string | undefined
}

/** Serves the license of the cluster, kept in a secret that is read and written with the caller's rights. */
export function clusterLicenseRoutes(
  app: FastifyInstance,
  { namespace, keyFile, subnetUrl }: ClusterLicenseParts,
): void {
  const subnet = subnetUrl === undefined ? undefined : { egress: app.egress, url: subnetUrl }

  const check = async (token: string): Promise<Subscription> => {
    if (keyFile === undefined) throw invalidLicense(undefined, reason('license-without-key'))
    try {
      return await readLicense({ token, keyFile })
    } catch (cause) {
      throw invalidLicense(cause)
    }
  }

  serveOperator(app, licenseCalls.getSubscription, async (_input, { kube, signal }) => {
    const license = await readClusterLicense(kube, namespace, signal)
    if (!license) throw new HttpError(404, reason('license-not-found'))
    return await check(license)
  })

  serveOperator(app, licenseCalls.validateSubscription, async ({ body }, { kube, signal }) => {
    // Throws if the caller has no right to read the secret: SUBNET must not be contacted for such a caller.
    await readClusterLicense(kube, namespace, signal)
    if (!body.license && !subnet) throw new HttpError(400, reason('subnet-not-configured'), { field: 'email' })
    const license = body.license || !subnet ? body.license : await issueLicense(subnet, body, signal)
    const subscription = await check(license)
    await writeClusterLicense(kube, namespace, license, signal)
    return subscription
  })

  serveOperator(app, licenseCalls.refreshSubscription, async (_input, { kube, log, signal }) => {
    const before = await readClusterLicense(kube, namespace, signal)
    if (!before) throw new HttpError(404, reason('license-not-found'))
    const license = subnet ? await renewLicense(subnet, before, signal) : before
    const subscription = await check(license)
    if (license !== before) await writeClusterLicense(kube, namespace, license, signal)
    const { objects } = await kube.list(tenants, { signal })
    for (const { metadata } of objects) {
      const at = { namespace: metadata.namespace ?? '', tenant: metadata.name }
      // If one tenant cannot be changed, the others still get the license.
      await attachLicense(kube, at, license, signal).catch((err: unknown) => {
        signal.throwIfAborted()
        log.warn({ err, ...at }, 'could not attach the license to a tenant')
      })
    }
    return subscription
  })
}

function invalidLicense(cause: unknown, detail?: ReturnType<typeof reason>): HttpError {
  return new HttpError(404, reason('license-invalid'), { ...(detail ? { detail } : {}), cause })
}
