import { useStore } from '../../lib/store.ts'
import { msg } from '../../lib/text/i18n.ts'
import { downloadObject, downloadZip, filesDownloading } from '../../transfers/engine/downloads.ts'
import type { RowAction } from '../../ui/DataTable.tsx'
import { useNeeds } from '../../ui/Disabled.tsx'
import { askDelete } from './ask-delete.tsx'
import { pathOf } from './columns.tsx'
import { titleOf } from './crumbs.ts'
import type { Entry } from './entries.ts'

/** View, download and delete; a folder comes down as a zip and is deleted with all below it. */
export function useRowActions(bucket: string, prefix: string, versioned: boolean | undefined): RowAction<Entry>[] {
  const needs = useNeeds({ bucket, prefix })
  const downloading = useStore(filesDownloading)
  return [
    { type: 'view', label: msg('View'), to: (entry) => pathOf(bucket, entry) },
    {
      type: 'download',
      label: msg('Download'),
      onClick: (entry) => void download(bucket, entry),
      busy: ({ key }) => downloading.some((one) => one.bucket === bucket && one.keys.includes(key)),
      disabled: () => needs('s3:GetObject'),
    },
    {
      type: 'delete',
      label: msg('Delete'),
      onClick: (entry) => askDelete({ bucket, entries: [entry], versioned }),
      disabled: () => needs('s3:DeleteObject'),
    },
  ]
}

function download(bucket: string, { key, folder, size }: Entry) {
  return folder ? downloadZip(bucket, [key], `${titleOf(key)}.zip`) : downloadObject({ bucket, key, size })
}
