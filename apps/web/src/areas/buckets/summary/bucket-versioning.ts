import type { Output } from '@stowage/contract'
import type { Translate } from '../../../lib/text/i18n.ts'

export type BucketVersioning = Output<'getBucketVersioning'>

/** Returns the versioning of a bucket as text, one exclusion per line. */
export const versioningText = ({ is_versioned, excluded_prefixes, exclude_folders }: BucketVersioning, t: Translate) =>
  [
    is_versioned ? t('Enabled') : t('Versioning is not enabled'),
    ...excluded_prefixes,
    ...(exclude_folders ? [t('Exclude folders')] : []),
  ].join('\n')
