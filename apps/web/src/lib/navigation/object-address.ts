import type { PageAddress } from './pages.ts'

/**
 * Matches a path segment that browsers, proxies and the router leave unchanged. Any other (with percent signs, backslashes,
 * control characters or `$`, empty, `.` or `..`) goes into the search parameter.
 */
const PLAIN_SEGMENT = /^(?!\.{1,2}$)[\p{L}\p{M}\p{N} ._~!'()*,;=:@&+-]+$/u
const BROWSER_ROOT = '/object-browser/'

/** Returns the address of a folder in the object browser; `prefix` is empty or ends with a slash. */
export function pathToFolder(bucket: string, prefix = ''): PageAddress {
  return browserPath(bucket, prefix, 'prefix')
}

/** Returns the address of an object. A key that ends with a slash is an object too; it is passed as a search parameter. */
export function pathToObject(bucket: string, key: string): PageAddress {
  return browserPath(bucket, key, 'key')
}

function browserPath(bucket: string, text: string, kind: 'prefix' | 'key'): PageAddress {
  const home = `${BROWSER_ROOT}${encodeURIComponent(bucket)}`
  // The names are already encoded here.
  if (text === '' && kind === 'prefix') return home as PageAddress
  // A trailing slash marks a folder.
  const body = kind === 'prefix' ? text.slice(0, -1) : text
  const segments = body.split('/')
  const fits = (kind === 'key' || text.endsWith('/')) && segments.every((s) => PLAIN_SEGMENT.test(s))
  if (!fits) return `${home}?${new URLSearchParams({ [kind]: text })}` as PageAddress
  return `${home}/${segments.map(encodeURIComponent).join('/')}${kind === 'prefix' ? '/' : ''}` as PageAddress
}

/** The location that an address of the object browser refers to: a folder, or an object in its folder. */
export interface BrowserLocation {
  bucket: string
  /** The folder: empty or with a trailing slash. */
  prefix: string
  /** The open object, if any. */
  key?: string
}

/**
 * Parses an address that `pathToFolder` or `pathToObject` has built, from the router's location.
 * @param pathname below the base path, percent-encoded or decoded
 * @param search with or without the question mark
 */
export function parseBrowserLocation(pathname: string, search: string): BrowserLocation | undefined {
  if (!pathname.startsWith(BROWSER_ROOT)) return undefined
  const [name = '', ...rest] = pathname.slice(BROWSER_ROOT.length).split('/')
  const bucket = decode(name)
  if (bucket === '') return undefined
  const { key, prefix } = Object.fromEntries(new URLSearchParams(search))
  if (key !== undefined) return { bucket, prefix: parentFolder(key), key }
  if (prefix !== undefined) return { bucket, prefix }
  const text = rest.map(decode).join('/')
  return text === '' || text.endsWith('/')
    ? { bucket, prefix: text }
    : { bucket, prefix: parentFolder(text), key: text }
}

/** Returns the folder that contains a key. */
export function parentFolder(key: string): string {
  return key.slice(0, key.lastIndexOf('/', key.length - 2) + 1)
}

/** Decodes a path segment. One that was not built here may contain an invalid percent-encoding. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
