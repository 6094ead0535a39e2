import type { ObjectItem } from '@stowage/contract'
import { lastSegment } from '../../../lib/text/last-segment.ts'

/** A row of a folder: an object or a common prefix. */
export interface FolderEntry {
  /** The full key; a folder's ends with a slash. */
  key: string
  /** The part of the key after the open folder; a folder's ends with a slash. */
  name: string
  folder: boolean
  /** Bytes; 0 for a folder. */
  size: number
  /** RFC 3339; empty for a folder. */
  modified: string
  etag: string
  /** In a view of the past: the version ID, and whether it is a delete marker. */
  versionId?: string
  deleted?: boolean
  /** The index in the server's order. */
  order: number
}

/** A page of a folder's listing. */
interface ListingPage {
  objects: readonly ObjectItem[]
}

/** The entries of some pages. */
interface ConvertedPages {
  pages: readonly ListingPage[]
  prefix: string
  entries: FolderEntry[]
  folders: ReadonlySet<string>
}

/** The last result for each folder, by its first page: a further page is added to it, so that rows already shown stay the same. */
const convertedPages = new WeakMap<ListingPage, ConvertedPages>()

/** Returns the entries of a folder from the pages of its listing, without duplicates. */
export function toFolderEntries(pages: readonly ListingPage[], prefix: string): FolderEntry[] {
  const [first] = pages
  if (!first) return []
  const known = convertedPages.get(first)
  const continues =
    known?.prefix === prefix &&
    known.pages.length <= pages.length &&
    known.pages.every((page, index) => page === pages[index])
  if (continues && known.pages.length === pages.length) return known.entries
  const entries = continues ? [...known.entries] : []
  const folders = new Set(continues ? known.folders : [])
  for (const page of continues ? pages.slice(known.pages.length) : pages) addPage(page, prefix, entries, folders)
  convertedPages.set(first, { pages, prefix, entries, folders })
  return entries
}

function addPage({ objects }: ListingPage, prefix: string, entries: FolderEntry[], folders: Set<string>): void {
  for (const item of objects) {
    const folder = isFolder(item)
    // A folder may be the last entry of one page and the first of the next if objects are written in between.
    if (folder && folders.has(item.name)) continue
    if (folder) folders.add(item.name)
    if (isPlaceholder(item, prefix)) continue
    entries.push({
      key: item.name,
      name: nameBelow(item.name, prefix),
      folder,
      size: item.size,
      modified: folder ? '' : item.last_modified,
      etag: item.etag ?? '',
      ...(item.delete_flag === undefined ? {} : { deleted: item.delete_flag }),
      ...(item.delete_flag === undefined || item.version_id === undefined ? {} : { versionId: item.version_id }),
      order: entries.length,
    })
  }
}

/** The listing returns no date for a folder. */
function isFolder({ name, last_modified }: ObjectItem): boolean {
  return name.endsWith('/') && last_modified.startsWith('0001-')
}

/** An empty object with the folder's own key, which some programs create to keep a folder. */
function isPlaceholder({ name, size }: ObjectItem, prefix: string): boolean {
  return name === prefix && size === 0
}

function nameBelow(key: string, prefix: string): string {
  return key === prefix ? lastSegment(key) : key.slice(prefix.length)
}

/** Returns a folder as an entry of the folder above it; undefined for the top of the bucket. */
export function folderAsEntry(prefix: string): FolderEntry | undefined {
  if (prefix === '') return undefined
  return { key: prefix, name: lastSegment(prefix), folder: true, size: 0, modified: '', etag: '', order: 0 }
}

/** Counts folders and objects, and adds up the sizes of the objects. */
export function countFolderEntries(entries: readonly FolderEntry[]) {
  const folders = entries.filter((entry) => entry.folder).length
  return { folders, objects: entries.length - folders, bytes: entries.reduce((sum, { size }) => sum + size, 0) }
}

/** Returns the prefix for a path typed below the current folder, without empty segments; empty if nothing remains. */
export function prefixBelow(prefix: string, typed: string): string {
  const segments = typed.split('/').filter((segment) => segment.trim() !== '')
  return segments.length === 0 ? '' : `${prefix}${segments.join('/')}/`
}

/** Parses `bucket/prefix`, also as an ARN or `s3://` URL; undefined without a bucket. The prefix gets a trailing slash. */
export function parseBucketPath(text: string): { bucket: string; prefix: string } | undefined {
  const path = text.trim().replace(/^(arn:aws:s3:::|s3:\/\/|\/+)/, '')
  const slash = path.indexOf('/')
  const bucket = slash < 0 ? path : path.slice(0, slash)
  if (bucket === '') return undefined
  const prefix = slash < 0 ? '' : path.slice(slash + 1).replace(/\*$/, '')
  return { bucket, prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/` }
}
