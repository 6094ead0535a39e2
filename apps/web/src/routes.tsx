import { createRootRoute, createRoute, createRouter, type ParsedLocation, redirect } from '@tanstack/react-router'
import { Root } from './layout/Root.tsx'
import { RouteError } from './layout/RouteError.tsx'
import { q, queryClient } from './lib/api/query.ts'
import { base } from './lib/base.ts'
import { prefetchBuckets, prefetchBucketsWithAccess } from './lib/data/buckets.ts'
import { folderQuery } from './lib/data/folder.ts'
import { history } from './lib/navigation/navigate.ts'
import { firstAllowed, isAllowed } from './lib/navigation/pages.ts'
import { ensureSession, rememberCurrentPlace } from './lib/session/session.ts'
import { bucketSections, parseBrowserPlace } from './paths.ts'
import { loadable } from './ui/lazy/loadable.tsx'

// The whole map. Each page is a chunk of its own that exports `Component`; its data starts to load beside it.

/** The component of a page, and what loads it. */
const page = (load: LoadPage) => loadable<object>(async () => (await load()).Component)
type LoadPage = () => Promise<{ Component: () => React.ReactNode }>
type Address = Pick<ParsedLocation, 'pathname' | 'searchStr'>

const rootRoute = createRootRoute({ component: Root, errorComponent: RouteError })

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  component: page(() => import('./areas/session/LoginPage.tsx')),
})

/** Everything that needs a session. */
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: async () => {
    try {
      return { session: await ensureSession() }
    } catch {
      // Whatever went wrong is told on the sign-in page: it asks the server itself.
      rememberCurrentPlace()
      throw redirect({ to: '/login', replace: true })
    }
  },
  component: page(() => import('./layout/Shell.tsx')),
})

/** A page of the shell. `name` is how the session's `pages` name it; without it everybody signed in may see it. */
function shellPage<P extends string>(
  path: P,
  name: string | undefined,
  load: LoadPage,
  prefetch?: (address: Address) => void,
) {
  return createRoute({
    getParentRoute: () => shellRoute,
    path,
    beforeLoad: ({ context }) => {
      if (name === undefined || isAllowed(context.session.pages, name)) return
      throw redirect({ to: firstAllowed(context.session.pages) ?? '/no-access', replace: true })
    },
    loader: ({ location }) => prefetch?.(location),
    component: page(load),
  })
}

const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: ({ context }) => {
    throw redirect({ to: firstAllowed(context.session.pages) ?? '/no-access', replace: true })
  },
})

const bucketsRoute = shellPage(
  '/buckets',
  '/buckets',
  () => import('./areas/buckets/BucketsPage.tsx'),
  prefetchBucketsWithAccess,
)

const dashboardRoute = shellPage(
  '/dashboard',
  '/dashboard',
  () => import('./areas/dashboard/DashboardPage.tsx'),
  () => void queryClient.prefetchQuery(q('getAdminInfo', {})),
)

const bucketRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/buckets/$bucket',
  beforeLoad: ({ context, params }) => {
    if (!isAllowed(context.session.pages, '/buckets/*'))
      throw redirect({ to: firstAllowed(context.session.pages) ?? '/no-access', replace: true })
    return { bucket: params.bucket }
  },
  loader: ({ params }) => void queryClient.prefetchQuery(q('getBucket', { params })),
  component: page(() => import('./areas/buckets/BucketPage.tsx')),
})

const bucketIndexRoute = createRoute({
  getParentRoute: () => bucketRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/buckets/$bucket/summary', params, replace: true })
  },
})

const bucketSummaryRoute = createRoute({
  getParentRoute: () => bucketRoute,
  path: '/summary',
  loader: ({ params, context }) => {
    if (!context.session.distributedMode) return
    void queryClient.prefetchQuery(q('getBucketQuota', { params }))
    void queryClient.prefetchQuery(q('getBucketVersioning', { params }))
  },
  component: page(() => import('./areas/buckets/SummarySection.tsx')),
})

/** Sections of the specification that are not built yet have their address, and say so. */
const unbuiltSections = bucketSections
  .filter((section) => section !== 'summary')
  .map((section) =>
    createRoute({
      getParentRoute: () => bucketRoute,
      path: `/${section}`,
      component: page(() => import('./areas/buckets/UnbuiltSection.tsx')),
    }),
  )

const objectBucketsRoute = shellPage(
  '/object-browser',
  '/object-browser',
  () => import('./areas/objects/BucketsPage.tsx'),
  prefetchBuckets,
)
const browserPage = () => import('./areas/objects/BrowserPage.tsx')
const prefetchFolder = ({ pathname, searchStr }: Address) => {
  const place = parseBrowserPlace(pathname, searchStr)
  if (place) void queryClient.prefetchInfiniteQuery(folderQuery(place.bucket, place.prefix))
}
const browserRoute = shellPage('/object-browser/$bucket', '/object-browser/:bucket', browserPage, prefetchFolder)
const browserPathRoute = shellPage(
  '/object-browser/$bucket/$',
  '/object-browser/:bucket/*',
  browserPage,
  prefetchFolder,
)

const noAccessRoute = shellPage('/no-access', undefined, () => import('./areas/shell/NoAccessPage.tsx'))
const notFoundRoute = shellPage('$', undefined, () => import('./areas/shell/NotFoundPage.tsx'))

const routeTree = rootRoute.addChildren([
  loginRoute,
  shellRoute.addChildren([
    homeRoute,
    dashboardRoute,
    bucketsRoute,
    bucketRoute.addChildren([bucketIndexRoute, bucketSummaryRoute, ...unbuiltSections]),
    objectBucketsRoute,
    browserRoute,
    browserPathRoute,
    noAccessRoute,
    notFoundRoute,
  ]),
])

export const router = createRouter({
  routeTree,
  history,
  basepath: base,
  trailingSlash: 'preserve',
  // The router's own parser makes a number of `?filter=12`.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const params = new URLSearchParams(
      Object.entries(search)
        .filter(([, value]) => value !== undefined)
        .map(([k, v]) => [k, String(v)]),
    )
    return params.size > 0 ? `?${params}` : ''
  },
  defaultErrorComponent: RouteError,
  defaultPendingMs: 600,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
