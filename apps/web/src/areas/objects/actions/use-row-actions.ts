import { useStore } from '../../../lib/store.ts'
import { msg, t } from '../../../lib/text/i18n.ts'
import { downloadObject, downloadZip, startingDownloads } from '../../../transfers/downloads.ts'
import { useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import type { RowAction } from '../../../ui/table/DataTable.tsx'
import { entryAddress } from '../entries/columns.tsx'
import { folderTitle } from '../entries/folder-crumbs.ts'
import type { FolderEntry } from '../entries/folder-entries.ts'
import type { PastView } from '../entries/past-view.ts'
import { previewKind } from '../preview/preview-kind.ts'
import { askDeleteEntries } from './ask-delete.tsx'

/**
 * Returns the row actions: view, preview, download, delete. A folder is downloaded as a zip file and deleted with its content.
 */
export function useRowActions(
  bucket: string,
  prefix: string,
  versioned: boolean | undefined,
  onPreview: (entry: FolderEntry) => void,
  { at }: PastView,
): RowAction<FolderEntry>[] {
  const needs = useDisabledReason({ bucket, prefix })
  const downloading = useStore(startingDownloads)
  return [
    { type: 'view', label: msg('View'), to: (entry) => entryAddress(bucket, entry) },
    {
      type: 'preview',
      label: msg('Preview'),
      onClick: onPreview,
      disabled: (entry) =>
        (entry.folder && t('A folder cannot be previewed.')) ||
        isDeleted(entry) ||
        (previewKind(entry.name) === 'none' && t('Files of this type cannot be previewed.')) ||
        needs('s3:GetObject'),
    },
    {
      type: 'download',
      label: msg('Download'),
      onClick: (entry) => void download(bucket, entry),
      busy: ({ key }) => downloading.some((one) => one.bucket === bucket && one.keys.includes(key)),
      disabled: (entry) =>
        isDeleted(entry) ||
        (at !== undefined && entry.folder && t('Folders of the past cannot be downloaded.')) ||
        needs('s3:GetObject'),
    },
    {
      type: 'delete',
      label: msg('Delete'),
      onClick: (entry) => askDeleteEntries({ bucket, entries: [entry], versioned }),
      disabled: (entry) => (at !== undefined && t(REWOUND_REASON)) || isDeleted(entry) || needs('s3:DeleteObject'),
    },
  ]
}

/** The reason why nothing can be changed in the view of a past time. */
export const REWOUND_REASON = msg('Rewound data cannot be changed.')

const isDeleted = ({ deleted = false }: FolderEntry) => deleted && t('The object is deleted.')

function download(bucket: string, { key, folder, size, versionId }: FolderEntry) {
  if (folder) return downloadZip(bucket, [key], `${folderTitle(key)}.zip`, undefined)
  return downloadObject({ bucket, key, size, ...(versionId === undefined ? {} : { versionId }) })
}
