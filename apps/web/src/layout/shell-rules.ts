/** The pages of documentation of the storage server; `ref` names the console mode. */
export function documentationUrl(operator: boolean): string {
  return `https://docs.min.io/?ref=${operator ? 'op' : 'con'}`
}

/** Pages that are shown without the sidebar. */
export function hidesSidebar(pathname: string): boolean {
  return pathname === '/metrics' || pathname.endsWith('/hop')
}
