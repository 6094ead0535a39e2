import { reason } from '@stowage/contract'
import { licenseCalls } from '@stowage/contract/license/license'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../lib/config/config.ts'
import { HttpError } from '../../lib/http/errors.ts'
import { serve } from '../../lib/http/serve.ts'
import { readLicense } from './read-license.ts'

/** The license is checked offline, with a public key from a file. */
export function licenseRoutes(app: FastifyInstance, { license }: Pick<Config, 'license'>): void {
  serve(app, licenseCalls.getSubscription, async (_input, { log }) => {
    if (!license) throw new HttpError(404, reason('license-not-found'))
    try {
      return await readLicense(license)
    } catch (error) {
      log.warn({ err: error }, 'STOWAGE_LICENSE is not a valid license')
      throw new HttpError(404, reason('license-not-found'))
    }
  })
}
