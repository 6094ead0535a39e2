import type { Tier, TierState } from '@stowage/contract/tiers/tiers'
import { type Message, msg } from '../../../lib/text/i18n.ts'

export type TierKind = 'minio' | 'gcs' | 's3' | 'azure'

/** In the order of the list. */
export const TIER_KINDS: readonly TierKind[] = ['minio', 'gcs', 's3', 'azure']

export const TIER_TITLES: Readonly<Record<TierKind, Message>> = {
  minio: msg('MinIO'),
  gcs: msg('Google Cloud Storage'),
  s3: msg('AWS S3'),
  azure: msg('Azure'),
}

export const TIER_ENDPOINTS: Readonly<Record<TierKind, string>> = {
  minio: '',
  gcs: 'https://storage.googleapis.com/',
  s3: 'https://s3.amazonaws.com',
  azure: 'http://blob.core.windows.net',
}

/** A tier as a table row. */
export interface TierRow {
  type: Tier['type']
  name: string
  endpoint: string
  bucket: string
  prefix: string
  region: string
  usage: number | undefined
  objects: number | undefined
  /** Undefined while the server tests the tiers. */
  state: TierState | undefined
}

/** A tier of an unknown type has only a name. */
export function tierRow(tier: Tier, states: readonly TierState[] | undefined): TierRow {
  const place = tier.type === 'unsupported' ? undefined : tier[tier.type]
  const name = place?.name ?? tier.name ?? ''
  return {
    type: tier.type,
    name,
    endpoint: place?.endpoint ?? '',
    bucket: place?.bucket ?? '',
    prefix: place?.prefix ?? '',
    region: place?.region ?? '',
    usage: place?.usage,
    objects: place?.objects,
    state: states?.find((state) => state.name === name),
  }
}
