import { Button } from '@mantine/core'
import { IconDownload, IconTrash } from '@tabler/icons-react'
import { formatCount, formatSize } from '../../lib/format.ts'
import { t as text, useT } from '../../lib/i18n.ts'
import { downloadZip } from '../../transfers/downloads.ts'
import { Disabled } from '../../ui/Disabled.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { askDelete } from './ask-delete.tsx'
import { countEntries, type Entry } from './entries.ts'

interface SelectionActionsProps {
  bucket: string
  rows: Entry[]
  versioned: boolean | undefined
  clear: () => void
}

/** The buttons for the selected rows; with none selected the place where they will be. */
export function SelectionActions({ bucket, rows, versioned, clear }: SelectionActionsProps) {
  const t = useT()
  const none = rows.length === 0
  return (
    <>
      {!none && (
        <Button
          size="xs"
          leftSection={<Icon of={IconDownload} />}
          onClick={() =>
            void downloadZip(
              bucket,
              rows.map(({ key }) => key),
              `${bucket}.zip`,
            )
          }
        >
          {t('Download')}
        </Button>
      )}
      <Disabled reason={none && t('Select rows first')}>
        <Button
          size="xs"
          variant={none ? 'default' : 'danger'}
          leftSection={<Icon of={IconTrash} />}
          onClick={() => askDelete({ bucket, entries: rows, versioned, onDone: clear })}
        >
          {t('Delete Selected')}
        </Button>
      </Disabled>
    </>
  )
}

/** Beside the count of selected rows. */
export function selectionText(rows: Entry[]): string {
  const { folders, objects, bytes } = countEntries(rows)
  const parts = objects > 0 ? [formatSize(bytes)] : []
  if (folders > 0) parts.push(text('{{n}} folders', { n: formatCount(folders), count: folders }))
  return parts.join(', ')
}
