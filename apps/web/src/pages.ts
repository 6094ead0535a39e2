import { accountPages } from './areas/account/pages.ts'
import { bucketPages } from './areas/buckets/pages.ts'
import { dashboardPages } from './areas/dashboard/pages.ts'
import { groupPages } from './areas/groups/pages.ts'
import { healPages } from './areas/heal/pages.ts'
import { healthInfoPages } from './areas/health-info/pages.ts'
import { licensePages } from './areas/license/pages.ts'
import { logPages } from './areas/logs/pages.ts'
import { objectPages } from './areas/objects/pages.ts'
import { policyPages } from './areas/policies/pages.ts'
import { settingsPages } from './areas/settings/pages.ts'
import { shellPages } from './areas/shell/pages.ts'
import { tenantPages } from './areas/tenants/pages.ts'
import { tracePages } from './areas/trace/pages.ts'
import { userPages } from './areas/users/pages.ts'
import { volumePages } from './areas/volumes/pages.ts'
import { watchPages } from './areas/watch/pages.ts'
import type { ConsolePage } from './lib/navigation/pages.ts'
import { loadTexts } from './lib/text/language.ts'
import { loadReasons } from './lib/text/reasons.ts'

/** All pages that need a session. The areas are in the order of the sidebar, which `pages.test.ts` checks. */
export const pages = [
  ...withTexts('dashboard', dashboardPages),
  ...withTexts('objects', objectPages),
  ...withTexts('account', withTexts('service-accounts', accountPages)),
  ...withTexts('buckets', bucketPages),
  ...withTexts('tenants', tenantPages),
  ...withTexts('volumes', withTexts('tenants', volumePages)),
  ...withTexts('users', withTexts('service-accounts', withTexts('policies', userPages))),
  ...withTexts('groups', withTexts('policies', groupPages)),
  ...withTexts('policies', policyPages),
  ...withTexts('settings', settingsPages),
  ...withTexts('logs', logPages),
  ...withTexts('watch', watchPages),
  ...withTexts('trace', tracePages),
  ...withTexts('heal', healPages),
  ...withTexts('health-info', healthInfoPages),
  ...withTexts('license', licensePages),
  ...shellPages,
]

/** Returns the pages of an area; opening one also loads the area's texts. */
function withTexts<P extends ConsolePage>(area: string, areaPages: readonly P[]): P[] {
  return areaPages.map((page) => ({
    ...page,
    load: async () => (await Promise.all([page.load(), loadTexts(area), loadReasons()]))[0],
  }))
}

declare module './lib/navigation/pages.ts' {
  interface Register {
    path: (typeof pages)[number]['path']
  }
}
