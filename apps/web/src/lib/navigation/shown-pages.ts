import { useMatches } from '@tanstack/react-router'
import { type ConsolePage, fillPath, type PageAddress } from './pages.ts'

/** The page of a route and the pages related to it. */
export interface PageRelations {
  page: ConsolePage
  /** The parent pages, from the top down. */
  above: readonly ConsolePage[]
  sections: readonly ConsolePage[]
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    placed?: PageRelations
  }
}

export interface ShownPage extends PageRelations {
  params: Readonly<Record<string, string>>
  address: PageAddress
}

/** Returns the open page and, if it has sections, the open section. */
export function useShownPages(): ShownPage[] {
  return useMatches().flatMap(({ staticData: { placed }, params }) =>
    placed ? [{ ...placed, params, address: fillPath(placed.page.path, params) }] : [],
  )
}

/** Returns the section that an open page without an entry of its own belongs to, such as Pods for a pod; otherwise its own entry. */
export function openSection({ sections }: PageRelations, { page }: PageRelations): ConsolePage | undefined {
  if (page.label !== undefined) return page
  return sections.find(({ path, label }) => label !== undefined && page.path.startsWith(`${path}/$`))
}
