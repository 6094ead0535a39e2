import { bucketPages } from './areas/buckets/pages.ts'
import { dashboardPages } from './areas/dashboard/pages.ts'
import { objectPages } from './areas/objects/pages.ts'
import { shellPages } from './areas/shell/pages.ts'
import type { Page } from './lib/navigation/pages.ts'
import { loadTexts } from './lib/text/language.ts'

/** Every page behind the sign-in. Areas stand in the order of the sidebar; `pages.test.ts` keeps it. */
export const pages = [
  ...withTexts('dashboard', dashboardPages),
  ...withTexts('objects', objectPages),
  ...withTexts('buckets', bucketPages),
  ...shellPages,
]

/** The pages of an area, which load its texts beside their code. */
function withTexts<P extends Page>(area: string, areaPages: readonly P[]): P[] {
  return areaPages.map((page) => ({
    ...page,
    load: async () => (await Promise.all([page.load(), loadTexts(area)]))[0],
  }))
}

declare module './lib/navigation/pages.ts' {
  interface Register {
    path: (typeof pages)[number]['path']
  }
}
