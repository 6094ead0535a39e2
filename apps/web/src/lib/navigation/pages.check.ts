import { definePage, type Params, pathTo, type To } from './pages.ts'

// Compile-time examples of links and pages that tsc must accept or reject.
export const links: To[] = ['/buckets', pathTo('/buckets'), pathTo('/buckets/$bucket/summary', { bucket: 'b' })]
// @ts-expect-error no such page
export const noPage: To = '/bucket'
// @ts-expect-error names must be inserted by pathTo, which encodes them
export const notEncoded: To = '/buckets/b/summary'
// @ts-expect-error the bucket is missing
export const noBucket = () => pathTo('/buckets/$bucket/summary')
// @ts-expect-error the parameter has another name
export const wrongName = () => pathTo('/buckets/$bucket/summary', { name: 'b' })

export const splat: Params<'/users/$'> = { _splat: 'a/b' }
const load = async () => (_props: { bucket: string }) => null
export const good = definePage({ path: '/buckets/$bucket', load })
// @ts-expect-error the path has no parameter `bucket`
export const wrongParams = definePage({ path: '/users/$user', load })
// @ts-expect-error no such page of a session
export const wrongPage = definePage({ path: '/buckets', page: '/bucket', load: async () => () => null })
