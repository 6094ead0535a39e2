import { useMatches } from '@tanstack/react-router'
import { fillPath, type Page, type PageAddress } from './pages.ts'

/** What the route of a page says about it to the parts around it. */
export interface PlacedPage {
  page: Page
  /** The pages above it, from the top down. */
  above: readonly Page[]
  sections: readonly Page[]
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    placed?: PlacedPage
  }
}

export interface ShownPage extends PlacedPage {
  params: Readonly<Record<string, string>>
  address: PageAddress
}

/** The page that is shown and, when it has sections, the one that is open. */
export function useShownPages(): ShownPage[] {
  return useMatches().flatMap(({ staticData: { placed }, params }) =>
    placed ? [{ ...placed, params, address: fillPath(placed.page.path, params) }] : [],
  )
}
