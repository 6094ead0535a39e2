import { formatCount, formatSize } from '../../lib/text/format.ts'
import { Rich } from '../../ui/Rich.tsx'
import { countEntries, type Entry } from './entries.ts'

/** What the folder holds, as far as it is loaded. */
export function FolderFacts({ entries, more }: { entries: readonly Entry[]; more: boolean }) {
  const { folders, objects, bytes } = countEntries(entries)
  if (more) {
    const n = <b>{formatCount(entries.length)}</b>
    return (
      <span>
        <Rich text="{{n}} entries loaded, more on the server" parts={{ n }} />
      </span>
    )
  }
  return (
    <>
      {folders > 0 && (
        <span>
          <Rich text="{{n}} folders" count={folders} parts={{ n: <b>{formatCount(folders)}</b> }} />
        </span>
      )}
      <span>
        <Rich text="{{n}} objects" count={objects} parts={{ n: <b>{formatCount(objects)}</b> }} />
      </span>
      {objects > 0 && <b>{formatSize(bytes)}</b>}
    </>
  )
}
