import { Button } from '@mantine/core'
import { useEffect } from 'react'
import type { PagedQueryResult } from '../../../lib/api/query-result.ts'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { whileBusy } from '../../../ui/controls/while-busy.tsx'
import { type FolderEntry, folderAsEntry } from '../entries/folder-entries.ts'
import { KeyCode } from '../entries/KeyCode.tsx'
import css from '../styles/objects.module.css'

interface SelectionNoteProps {
  prefix: string
  folder: PagedQueryResult<FolderEntry[]>
  /** Whether the whole folder is selected, not only the loaded entries. */
  whole: boolean
  /** Whether the other entries are being loaded, to select them. */
  loading: boolean
  onWhole: () => void
  onLoading: (loading: boolean) => void
  /** Selects all loaded entries. */
  onAll: () => void
  /** Called when the selection has changed, so that this note is no longer shown. */
  onGone: () => void
}

/** Says that only the loaded entries of a large folder are selected, and offers to select all of it. */
export function SelectionNote(props: SelectionNoteProps) {
  const { prefix, folder, whole, loading, onWhole, onLoading, onAll, onGone } = props
  const t = useT()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it is removed
  useEffect(() => onGone, [])
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = folder
  // biome-ignore lint/correctness/useExhaustiveDependencies: the callbacks are new in each rendering
  useEffect(() => {
    if (!loading || isFetchingNextPage) return
    if (!hasNextPage) onAll()
    if (hasNextPage && !isFetchNextPageError) void fetchNextPage()
    else onLoading(false)
  }, [loading, hasNextPage, isFetchingNextPage, isFetchNextPageError])
  const name = <KeyCode name={prefix} />
  return (
    <div className={css.note} role="status">
      {whole ? (
        <span>
          <Trans text="Everything in the folder <name/> is selected, in its subfolders too." parts={{ name }} />
        </span>
      ) : (
        <>
          <span>
            {t(
              plural(
                'Only the {{count}} loaded entry is selected. The folder has more.',
                'Only the {{count}} loaded entries are selected. The folder has more.',
              ),
              { count: folder.data?.length ?? 0 },
            )}
          </span>
          {folderAsEntry(prefix) ? (
            <Button size="xs" onClick={onWhole}>
              {t('Select the whole folder')}
            </Button>
          ) : (
            <Button size="xs" onClick={() => onLoading(true)} {...whileBusy(loading)}>
              {t('Load and select all entries')}
            </Button>
          )}
        </>
      )}
    </div>
  )
}
