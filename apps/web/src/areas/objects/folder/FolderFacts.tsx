import { formatSize } from '../../../lib/text/format.ts'
import { plural } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { countFolderEntries, type FolderEntry } from '../entries/folder-entries.ts'

/** The number and size of the entries that are loaded. */
export function FolderFacts({ entries, more }: { entries: readonly FolderEntry[]; more: boolean }) {
  const { folders, objects, bytes } = countFolderEntries(entries)
  if (more) {
    return (
      <span>
        <Trans
          text={plural(
            '<b>{{count}}</b> entry loaded, more available',
            '<b>{{count}}</b> entries loaded, more available',
          )}
          values={{ count: entries.length }}
          parts={{ b: <b /> }}
        />
      </span>
    )
  }
  return (
    <>
      {folders > 0 && (
        <span>
          <Trans
            text={plural('<b>{{count}}</b> folder', '<b>{{count}}</b> folders')}
            values={{ count: folders }}
            parts={{ b: <b /> }}
          />
        </span>
      )}
      <span>
        <Trans
          text={plural('<b>{{count}}</b> object', '<b>{{count}}</b> objects')}
          values={{ count: objects }}
          parts={{ b: <b /> }}
        />
      </span>
      {objects > 0 && <b>{formatSize(bytes)}</b>}
    </>
  )
}
