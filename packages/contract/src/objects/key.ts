import { z } from 'zod'

/**
 * How `prefix` and `path` are written: as they are, or as the Base64 of their UTF-8, which consoles of late 2021 send.
 * Never guessed: many keys look like Base64.
 */
export const encoding = z.enum(['base64']).optional()

/** Query parameters that name one object, by its whole key. */
export const keyFields = { prefix: z.string().min(1), encoding }

/** Query parameters that name one version of an object; without `version_id` the latest. */
export const versionFields = { ...keyFields, version_id: z.string().optional() }
