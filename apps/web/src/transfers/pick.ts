import { toast } from '../lib/feedback/toast.ts'
import { formatCount } from '../lib/text/format.ts'
import { t } from '../lib/text/i18n.ts'
import type { Collected } from './engine/collect.ts'
import { uploads } from './transfers.ts'

/** Takes chosen or dropped files up for a folder of a bucket, and tells what had to be left out. */
export function uploadInto(bucket: string, prefix: string, { found, emptyFolders, unreadable }: Collected) {
  uploads.add(
    bucket,
    found.map(({ file, path }) => ({ file, key: prefix + path })),
  )
  if (unreadable.length > 0) {
    const n = unreadable.length
    toast.error(t('{{n}} files could not be read', { n: formatCount(n), count: n }), unreadable.slice(0, 20).join('\n'))
  }
  if (emptyFolders.length > 0) {
    const n = emptyFolders.length
    toast.ok(t('{{n}} empty folders were left out: a bucket holds objects only', { n: formatCount(n), count: n }))
  }
}
