/**
 * The pages of the console that are built, as the session's `pages` name them, in the order in which one is looked for
 * when a session may not see the page that was asked for.
 */
export const landingPages = ['/buckets', '/object-browser', '/dashboard'] as const

/** Whether a session's pages hold this route; `pages` are route patterns, compared as text. */
export function isAllowed(pages: readonly string[], route: string): boolean {
  return pages.includes(route)
}

/** The first page that this session may see, or undefined when none of those built is open to it. */
export function firstAllowed(pages: readonly string[]): string | undefined {
  return landingPages.find((page) => isAllowed(pages, page))
}
