import type { PageAddress } from './pages.ts'

/**
 * What a path segment carries as it is written, through browsers, proxies and the router alike. Everything else (percent
 * signs, backslashes, control characters, `$`, empty segments, dots alone) goes into the search parameter.
 */
const plainSegment = /^(?!\.{1,2}$)[\p{L}\p{M}\p{N} ._~!'()*,;=:@&+-]+$/u
const root = '/object-browser/'

/** A folder of the object browser; `prefix` is empty or ends with a slash. */
export function pathToFolder(bucket: string, prefix = ''): PageAddress {
  return browserPath(bucket, prefix, 'prefix')
}

/** One object in its folder; a key that ends with a slash is an object too, and is passed as a search parameter. */
export function pathToObject(bucket: string, key: string): PageAddress {
  return browserPath(bucket, key, 'key')
}

function browserPath(bucket: string, text: string, kind: 'prefix' | 'key'): PageAddress {
  const home = `${root}${encodeURIComponent(bucket)}`
  // Names are encoded in each of the three.
  if (text === '' && kind === 'prefix') return home as PageAddress
  // A slash at the end marks a folder.
  const body = kind === 'prefix' ? text.slice(0, -1) : text
  const segments = body.split('/')
  const fits = (kind === 'key' || text.endsWith('/')) && segments.every((s) => plainSegment.test(s))
  if (!fits) return `${home}?${new URLSearchParams({ [kind]: text })}` as PageAddress
  return `${home}/${segments.map(encodeURIComponent).join('/')}${kind === 'prefix' ? '/' : ''}` as PageAddress
}

/** What an address of the object browser shows: a folder, or an object in its folder. */
export interface BrowserPlace {
  bucket: string
  /** The folder: empty or with a slash at its end. */
  prefix: string
  /** The object that is open, when one is. */
  key?: string
}

/**
 * Reads an address that `pathToFolder` or `pathToObject` has written, from the router's location.
 * @param pathname below the base path; decoded or not, both are read
 * @param search with or without its question mark
 */
export function parseBrowserPlace(pathname: string, search: string): BrowserPlace | undefined {
  if (!pathname.startsWith(root)) return undefined
  const [name = '', ...rest] = pathname.slice(root.length).split('/')
  const bucket = decode(name)
  if (bucket === '') return undefined
  const { key, prefix } = Object.fromEntries(new URLSearchParams(search))
  if (key !== undefined) return { bucket, prefix: folderOf(key), key }
  if (prefix !== undefined) return { bucket, prefix }
  const text = rest.map(decode).join('/')
  return text === '' || text.endsWith('/') ? { bucket, prefix: text } : { bucket, prefix: folderOf(text), key: text }
}

/** The folder in which a key is shown. */
export function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/', key.length - 2) + 1)
}

/** A path that was not written by us may hold a percent sign that encodes nothing. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
