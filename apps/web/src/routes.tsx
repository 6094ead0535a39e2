import type { Session } from '@stowage/contract'
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  type ParsedLocation,
  redirect,
  useParams,
} from '@tanstack/react-router'
import { createElement } from 'react'
import { Root } from './layout/Root.tsx'
import { RouteError } from './layout/RouteError.tsx'
import { loadEndpoints } from './lib/api/load-endpoints.ts'
import { consoleBase } from './lib/base-path.ts'
import { browserHistory } from './lib/navigation/navigate.ts'
import { pathToFolder } from './lib/navigation/object-address.ts'
import { type ConsolePage, landingFolder, landingPage, maySeePage, visibleSections } from './lib/navigation/pages.ts'
import { ensureSession, rememberCurrentPath } from './lib/session/session.ts'
import { pages } from './pages.ts'
import { loadable } from './ui/lazy/loadable.tsx'

// The routes of `pages.ts`. Each page is a separate chunk; its data are loaded in parallel.

const rootRoute = createRootRoute({ component: Root, errorComponent: RouteError })

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  component: loadable(async () => (await import('./areas/session/LoginPage.tsx')).LoginPage),
})

const callbackRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/oauth_callback',
  component: loadable(async () => (await import('./areas/session/CallbackPage.tsx')).CallbackPage),
})

/** The route of all pages that need a session. */
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: async () => {
    // The first calls of the page need them.
    const loading = loadEndpoints()
    loading.catch(() => undefined)
    try {
      return { session: await ensureSession() }
    } catch {
      // The sign-in page makes the same call, and shows the error.
      rememberCurrentPath()
      throw redirect({ to: '/login', replace: true })
    }
  },
  component: loadable(async () => (await import('./layout/Shell.tsx')).Shell),
})

function redirectToLanding(session: Session) {
  const landing = landingPage(pages, session)
  const folder = landingFolder(landing, session)
  // Folders with unusual names are in the search parameters of their address; the user selects these in the list instead.
  if (!folder || pathToFolder(folder.bucket, folder.prefix).includes('?')) {
    return redirect({ to: landing?.path ?? '/no-access', replace: true })
  }
  const { bucket, prefix: _splat } = folder
  return redirect({ to: '/object-browser/$bucket/$', params: { bucket, _splat }, replace: true })
}

const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  beforeLoad: ({ context }) => {
    throw redirectToLanding(context.session)
  },
})

const notFoundRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '$',
  component: loadable(async () => (await import('./areas/shell/NotFoundPage.tsx')).NotFoundPage),
})

/** Returns the parent pages of a page, from the top down. */
function pagesAbove(page: ConsolePage): ConsolePage[] {
  const above = pages.find(({ path }) => path === page.under)
  return above ? [...pagesAbove(above), above] : []
}

/** What child routes receive from the layout route; their types are lost because they are created from a list. */
interface ChildRouteContext {
  context: { session: Session }
  params: Record<string, string>
}

/** Returns the route of a page with the child routes of its sections. */
function createPageRoute(page: ConsolePage, parent: AnyRoute): AnyRoute {
  const Loaded = loadable(page.load)
  const Component = () => createElement(Loaded, useParams({ strict: false }))
  const sections: readonly ConsolePage[] = pages.filter((section) => section.in === page.path)
  const route = createRoute({
    getParentRoute: () => parent,
    path: page.path.slice(page.in?.length ?? 0),
    staticData: { placed: { page, above: pagesAbove(page), sections } },
    beforeLoad: ({ context, params }: ChildRouteContext) => {
      if (maySeePage(page, context.session)) return
      throw page.in === undefined
        ? redirectToLanding(context.session)
        : redirect({ to: page.in, params, replace: true })
    },
    loader: ({ params, context, location }: ChildRouteContext & { location: ParsedLocation }) =>
      page.prefetch?.({ params, session: context.session, pathname: location.pathname, search: location.searchStr }),
    component: Component,
  })
  if (sections.length === 0) return route
  const index = createRoute({
    getParentRoute: () => route,
    path: '/',
    beforeLoad: ({ context, params }: ChildRouteContext) => {
      const [first] = visibleSections(pages, page, context.session)
      throw first ? redirect({ to: first.path, params, replace: true }) : redirectToLanding(context.session)
    },
  })
  return route.addChildren([index, ...sections.map((section) => createPageRoute(section, route))])
}

const routeTree = rootRoute.addChildren([
  loginRoute,
  callbackRoute,
  shellRoute.addChildren([
    homeRoute,
    ...pages.filter((page) => page.in === undefined).map((page) => createPageRoute(page, shellRoute)),
    notFoundRoute,
  ]),
])
export const router = createRouter({
  routeTree,
  history: browserHistory,
  basepath: consoleBase,
  trailingSlash: 'preserve',
  // The router's default parser would turn `?filter=12` into a number.
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
