import { z } from 'zod'
import { S3Error } from '../errors.ts'
import type { SettingCodec } from './codec.ts'

/** Limits of a bucket. */
export interface Quota {
  /** Bytes of all versions; 0 for no limit. A write that would pass it is refused. */
  size: number
  /** Kept for clients; without effect. */
  rate: number
  requests: number
}

const number = z
  .number()
  .int()
  .nonnegative()
  .nullish()
  .transform((value) => value ?? 0)

// `quota` is the older name of `size`; clients send one of them or both.
const document = z.object({
  quota: number,
  size: number,
  rate: number,
  requests: number,
  quotatype: z.string().nullish(),
})

export const quotaCodec: SettingCodec<Quota> = {
  read(text) {
    const { quota, size, rate, requests, quotatype } = parse(text)
    if (quotatype && quotatype !== 'hard') {
      throw new S3Error('XMinioAdminInvalidArgument', 'The only type of quota is hard.')
    }
    return { size: size || quota, rate, requests }
  },
  write: ({ size, rate, requests }) => JSON.stringify({ quota: size, size, rate, requests, quotatype: 'hard' }),
}

function parse(text: string): z.infer<typeof document> {
  try {
    return document.parse(JSON.parse(text))
  } catch (cause) {
    throw new S3Error('XMinioMalformedJSON', 'The JSON you provided was not well-formed or did not validate.', {
      cause,
    })
  }
}
