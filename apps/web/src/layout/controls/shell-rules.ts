/** Returns the URL of the storage server's documentation; `ref` is the console mode. */
export function documentationUrl(operator: boolean): string {
  return `https://docs.min.io/?ref=${operator ? 'op' : 'con'}`
}

/** Reports whether a page is shown without the sidebar. */
export function hidesSidebar(pathname: string): boolean {
  return pathname === '/metrics' || pathname.endsWith('/hop')
}
