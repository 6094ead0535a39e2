/**
 * Returns the path that the console is served under, with a trailing slash. The server sets it with `<base href>`. A page
 * served through an operator's proxy (`/api/proxy/{namespace}/{tenant}/…`) uses the first four segments of its own path
 * instead.
 */
export function findBasePath(pagePath: string, baseURI: string): string {
  if (pagePath.startsWith('/api/proxy/')) return `${pagePath.split('/').slice(0, 5).join('/')}/`
  return new URL('.', baseURI).pathname
}

export const consoleBase = typeof document === 'undefined' ? '/' : findBasePath(location.pathname, document.baseURI)

/** Returns an address under the base path, for `fetch`, links and sockets; `path` begins with a slash. */
export function consoleAddress(path: string): string {
  return consoleBase + path.slice(1)
}

/** Returns an address of the console in operator mode, for links from the screens of a tenant, which are three levels below. */
export function operatorAddress(path: string): string {
  return consoleBase.split('/').slice(0, -4).join('/') + path
}
