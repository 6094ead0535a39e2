import { type PageAddress, withSearch } from '../navigation/pages.ts'
import { createStore } from '../store.ts'
import type { ConsoleAction, Scope } from './permissions.ts'

/** The missing permission whose explanation is open. */
export const explaining = createStore<(Scope & { action: ConsoleAction }) | undefined>(undefined)

/** Returns the page that explains whether the caller may perform an action. */
export function pathToExplanation({ action, bucket, prefix = '' }: Scope & { action: string }): PageAddress {
  const about = bucket === undefined || !action.startsWith('s3:') ? '' : `arn:aws:s3:::${bucket}`
  const isListing = action.startsWith('s3:ListBucket')
  const key = prefix === '' ? '' : `/${prefix}${isListing ? '' : '*'}`
  return withSearch('/can-they' as PageAddress, { action, ...(about === '' ? {} : { resource: about + key }) })
}
