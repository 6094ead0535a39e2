import { type PageAddress, withSearch } from '../navigation/pages.ts'
import { createStore } from '../store.ts'
import type { ConsoleAction, Scope } from './permissions.ts'

/** A right that a control lacks, while its explanation is open. */
export const explaining = createStore<(Scope & { action: ConsoleAction }) | undefined>(undefined)

/** The page that answers whether the caller may do this. */
export function pathToExplanation({ action, bucket, prefix = '' }: Scope & { action: string }): PageAddress {
  const about = bucket === undefined || !action.startsWith('s3:') ? '' : `arn:aws:s3:::${bucket}`
  const isListing = action.startsWith('s3:ListBucket')
  const key = prefix === '' ? '' : `/${prefix}${isListing ? '' : '*'}`
  return withSearch('/can-they' as PageAddress, { action, ...(about === '' ? {} : { resource: about + key }) })
}
