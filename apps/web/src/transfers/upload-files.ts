import { toast } from '../lib/feedback/toast.ts'
import { plural, t } from '../lib/text/i18n.ts'
import { transferUploads } from './transfers.ts'
import type { CollectedFiles } from './uploads/collect-files.ts'

/** Starts the upload of chosen or dropped files to a folder of a bucket, and reports files that were left out. */
export function uploadFiles(bucket: string, prefix: string, { found, emptyFolders, unreadable }: CollectedFiles) {
  transferUploads.add(
    bucket,
    found.map(({ file, path }) => ({ file, key: prefix + path })),
  )
  if (unreadable.length > 0) {
    const text = plural('{{count}} file could not be read', '{{count}} files could not be read')
    toast.error(t(text, { count: unreadable.length }), unreadable.slice(0, 20).join('\n'))
  }
  if (emptyFolders.length > 0) {
    const text = plural(
      '{{count}} empty folder was left out: a bucket holds objects only',
      '{{count}} empty folders were left out: a bucket holds objects only',
    )
    toast.ok(t(text, { count: emptyFolders.length }))
  }
}
