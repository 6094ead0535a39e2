import { bucketPages } from './areas/buckets/pages.ts'
import { dashboardPages } from './areas/dashboard/pages.ts'
import { objectPages } from './areas/objects/pages.ts'
import { shellPages } from './areas/shell/pages.ts'

/** Every page behind the sign-in. Areas stand in the order of the sidebar; `pages.test.ts` keeps it. */
export const pages = [...dashboardPages, ...objectPages, ...bucketPages, ...shellPages]

declare module './lib/navigation/pages.ts' {
  interface Register {
    path: (typeof pages)[number]['path']
  }
}
