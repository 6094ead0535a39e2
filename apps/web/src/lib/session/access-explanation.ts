import type { ConsoleAction, PermissionScope } from '../data/permissions.ts'
import { type PageAddress, withSearch } from '../navigation/pages.ts'
import { createStore } from '../store.ts'

/** The missing permission whose explanation is open. */
export const openExplanation = createStore<(PermissionScope & { action: ConsoleAction }) | undefined>(undefined)

/** Returns the page that explains whether the caller may perform an action. */
export function pathToExplanation({ action, bucket, prefix = '' }: PermissionScope & { action: string }): PageAddress {
  const about = bucket === undefined || !action.startsWith('s3:') ? '' : `arn:aws:s3:::${bucket}`
  const isListing = action.startsWith('s3:ListBucket')
  const key = prefix === '' ? '' : `/${prefix}${isListing ? '' : '*'}`
  return withSearch('/can-they' as PageAddress, { action, ...(about === '' ? {} : { resource: about + key }) })
}
