import type { ReplicationRule } from '@stowage/contract'
import { msg } from '../../lib/text/i18n.ts'
import type { TableTexts } from '../../ui/table/DataTable.tsx'

export const replicationRuleTexts: TableTexts = {
  name: msg('Replication rules'),
  empty: msg('There are no Replication Rules yet.'),
  emptyHint: msg('A rule copies objects, as they are written, to a bucket on another server.'),
  noMatch: msg('No Replication Rules match the filter.'),
}

const ARN = 'arn:aws:s3:::'

/** Returns the bucket that a rule replicates to. */
export function destinationBucket({ destination: { bucket } }: ReplicationRule): string {
  return bucket.startsWith(ARN) ? bucket.slice(ARN.length) : bucket
}

/** Returns the name of a rule: its priority, which is unique within a bucket. */
export const replicationRuleName = ({ priority }: ReplicationRule): string => String(priority)
