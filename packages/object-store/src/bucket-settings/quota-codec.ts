import { z } from 'zod'
import { S3Error } from '../lib/errors.ts'
import type { SettingCodec } from './setting-codec.ts'

/** Limits of a bucket. */
export interface QuotaSetting {
  /** Bytes of all versions; 0 for no limit. A write that would pass it is refused. */
  size: number
  /** Kept for clients; without effect. */
  rate: number
  requests: number
}

const optionalNumber = z
  .number()
  .int()
  .nonnegative()
  .nullish()
  .transform((value) => value ?? 0)

// `quota` is the older name of `size`; clients send one of them or both.
const quotaSchema = z.object({
  quota: optionalNumber,
  size: optionalNumber,
  rate: optionalNumber,
  requests: optionalNumber,
  quotatype: z.string().nullish(),
})

export const quotaCodec: SettingCodec<QuotaSetting> = {
  read(text) {
    const { quota, size, rate, requests, quotatype } = parseQuota(text)
    if (quotatype && quotatype !== 'hard') {
      throw new S3Error('XMinioAdminInvalidArgument', 'The only type of quota is hard.')
    }
    return { size: size || quota, rate, requests }
  },
  write: ({ size, rate, requests }) => JSON.stringify({ quota: size, size, rate, requests, quotatype: 'hard' }),
}

function parseQuota(text: string): z.infer<typeof quotaSchema> {
  try {
    return quotaSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new S3Error('XMinioMalformedJSON', 'The JSON you provided was not well-formed or did not validate.', {
      cause,
    })
  }
}
