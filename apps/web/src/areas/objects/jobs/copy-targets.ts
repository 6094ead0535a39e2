import type { FolderEntry } from '../entries/folder-entries.ts'

// A type alias, because form values need an index signature.
export type CopyObjectsForm = {
  action: 'copy' | 'move'
  bucket: string
  /** The target prefix; empty for the top of the bucket. The trailing slash may be missing. */
  folder: string
  /** The name of a single entry, without the trailing slash of a folder. */
  name: string
  overwrite: boolean
}

/** Returns the target key of each entry. A single entry can be renamed. */
export function copyTargets(
  entries: readonly FolderEntry[],
  { folder, name }: Pick<CopyObjectsForm, 'folder' | 'name'>,
) {
  const into = folder === '' || folder.endsWith('/') ? folder : `${folder}/`
  const [only, ...others] = entries
  if (only && others.length === 0) return [{ from: only.key, to: `${into}${name}${only.folder ? '/' : ''}` }]
  return entries.map((entry) => ({ from: entry.key, to: `${into}${entry.name}` }))
}

/** Returns the editable name of an entry: a folder's without the trailing slash. */
export const editableName = ({ name, folder }: FolderEntry) => (folder ? name.slice(0, -1) : name)

/** Reports whether an entry would be copied onto itself, or a folder into itself. */
export function copiesOntoItself(entries: readonly { from: string; to: string }[]): boolean {
  return entries.some(({ from, to }) => (from.endsWith('/') ? to.startsWith(from) : to === from))
}
