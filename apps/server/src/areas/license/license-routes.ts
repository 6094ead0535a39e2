import { reason, type Subscription } from '@stowage/contract'
import { licenseCalls } from '@stowage/contract/license/license'
import type { FastifyInstance } from 'fastify'
import type { ConsoleConfig } from '../../lib/config/config.ts'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { serve } from '../../lib/http/serve.ts'
import { readLicense } from '../../lib/license/read-license.ts'
import { requireRight } from '../logs/audit-receiver.ts'
import { StoredLicense } from './stored-license.ts'
import { issueLicense, renewLicense } from './subnet-client.ts'

/** Every user may see the server's license. Whoever may change the server's configuration may change it. */
const CHANGE = ['admin:ConfigUpdate']

/** The license is checked offline, with a public key from a file. */
export function licenseRoutes(
  app: FastifyInstance,
  {
    license,
    licenseKeyFile: keyFile,
    licenseUrl,
    data,
  }: Pick<ConsoleConfig, 'license' | 'licenseKeyFile' | 'licenseUrl' | 'data'>,
): void {
  const stored = new StoredLicense(data)
  /** That of the environment, unless another one was activated. */
  const current = async () => (licenseUrl === undefined ? undefined : await stored.read()) ?? license?.token

  serve(app, licenseCalls.getSubscription, async (_input, { log }) => {
    const token = await current()
    if (token === undefined || keyFile === undefined) throw new HttpError(404, reason('license-not-found'))
    try {
      return await readLicense({ token, keyFile })
    } catch (error) {
      log.warn({ err: error }, 'the license is not valid')
      throw new HttpError(404, reason('license-not-found'))
    }
  })

  // As recorded from the original, these calls do not exist otherwise.
  if (licenseUrl === undefined || keyFile === undefined) return
  const issuer = { egress: app.egress, url: licenseUrl.href }

  const keep = async (token: string): Promise<Subscription> => {
    const subscription = await readLicense({ token, keyFile }).catch((cause: unknown) => {
      throw new HttpError(404, reason('license-invalid'), { cause })
    })
    await stored.write(token)
    return subscription
  }

  serve(app, licenseCalls.validateSubscription, async ({ body }, context) => {
    await requireRight(app, context, CHANGE)
    return await keep(body.license || (await issueLicense(issuer, body, context.signal)))
  })

  serve(app, licenseCalls.refreshSubscription, async (_input, context) => {
    await requireRight(app, context, CHANGE)
    const before = await current()
    if (before === undefined) throw new HttpError(404, reason('license-not-found'))
    return await keep(await renewLicense(issuer, before, context.signal))
  })
}
