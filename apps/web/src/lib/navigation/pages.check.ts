import { definePage, type PageTarget, type PathParams, pathTo } from './pages.ts'

// Compile-time examples of links and pages that tsc must accept or reject.
export const links: PageTarget[] = ['/buckets', pathTo('/buckets'), pathTo('/buckets/$bucket/summary', { bucket: 'b' })]
// @ts-expect-error no such page
export const noPage: PageTarget = '/bucket'
// @ts-expect-error names must be inserted by pathTo, which encodes them
export const notEncoded: PageTarget = '/buckets/b/summary'
// @ts-expect-error the bucket is missing
export const noBucket = () => pathTo('/buckets/$bucket/summary')
// @ts-expect-error the parameter has another name
export const wrongParamName = () => pathTo('/buckets/$bucket/summary', { name: 'b' })

export const splat: PathParams<'/users/$'> = { _splat: 'a/b' }
const load = async () => (_props: { bucket: string }) => null
export const acceptedPage = definePage({ path: '/buckets/$bucket', load })
// @ts-expect-error the path has no parameter `bucket`
export const wrongParams = definePage({ path: '/users/$user', load })
// @ts-expect-error no such page of a session
export const wrongPage = definePage({ path: '/buckets', page: '/bucket', load: async () => () => null })
