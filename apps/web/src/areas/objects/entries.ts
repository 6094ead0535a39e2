import type { ObjectItem } from '@stowage/contract'
import { lastSegment } from '../../lib/text/key.ts'

/** A row of a folder: an object, or a folder that keys have in common. */
export interface Entry {
  /** The whole key; a folder's ends with a slash. */
  key: string
  /** What stands below the folder that is shown; a folder's ends with a slash. */
  name: string
  folder: boolean
  /** Bytes; 0 for a folder. */
  size: number
  /** RFC 3339; empty for a folder. */
  modified: string
  etag: string
  /** In a view of the past: which version it is, and whether it is a delete marker. */
  versionId?: string
  deleted?: boolean
  /** Its place in the server's order. */
  order: number
}

/** What a folder of S3 shows: the listing's pages one after the other, each entry once. */
export function toEntries(pages: readonly { objects: readonly ObjectItem[] }[], prefix: string): Entry[] {
  const entries: Entry[] = []
  const folders = new Set<string>()
  for (const { objects } of pages) {
    for (const item of objects) {
      const folder = isFolder(item)
      // A folder may end one page and begin the next when objects are written in between.
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
  return entries
}

/** The wire gives a folder no date. */
function isFolder({ name, last_modified }: ObjectItem): boolean {
  return name.endsWith('/') && last_modified.startsWith('0001-')
}

/** An empty object with the folder's own name, by which some programs keep a folder: it is the folder that is shown. */
function isPlaceholder({ name, size }: ObjectItem, prefix: string): boolean {
  return name === prefix && size === 0
}

function nameBelow(key: string, prefix: string): string {
  return key === prefix ? lastSegment(key) : key.slice(prefix.length)
}

/** How many folders and objects, and the objects' bytes together. */
export function countEntries(entries: readonly Entry[]) {
  const folders = entries.filter((entry) => entry.folder).length
  return { folders, objects: entries.length - folders, bytes: entries.reduce((sum, { size }) => sum + size, 0) }
}

/** What is typed as a new folder path, below the current folder; empty segments are dropped. Empty when nothing is left. */
export function folderBelow(prefix: string, typed: string): string {
  const segments = typed.split('/').filter((segment) => segment.trim() !== '')
  return segments.length === 0 ? '' : `${prefix}${segments.join('/')}/`
}

/** Reads `bucket/prefix`, also as an ARN or `s3://` address; undefined without a bucket. A prefix gets its slash. */
export function bucketAndPrefix(text: string): { bucket: string; prefix: string } | undefined {
  const path = text.trim().replace(/^(arn:aws:s3:::|s3:\/\/|\/+)/, '')
  const slash = path.indexOf('/')
  const bucket = slash < 0 ? path : path.slice(0, slash)
  if (bucket === '') return undefined
  const prefix = slash < 0 ? '' : path.slice(slash + 1).replace(/\*$/, '')
  return { bucket, prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/` }
}
