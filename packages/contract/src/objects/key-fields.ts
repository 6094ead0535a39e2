import { z } from 'zod'

/**
 * The encoding of `prefix` and `path`: plain, or Base64 of the UTF-8, as consoles of late 2021 send it. It is never guessed,
 * because many keys look like Base64.
 */
export const keyEncoding = z.enum(['base64']).optional()

/** Query parameters that identify an object by its full key. */
export const keyFields = { prefix: z.string().min(1), encoding: keyEncoding }

/** Query parameters that identify a version of an object; without `version_id` the latest. */
export const versionFields = { ...keyFields, version_id: z.string().optional() }
