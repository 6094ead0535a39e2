import type { Entry } from '../entries.ts'

// A type, because a form's values must have an index signature.
export type CopyForm = {
  action: 'copy' | 'move'
  bucket: string
  /** Empty for the top of the bucket; a slash at its end may be missing. */
  folder: string
  /** The name of a single entry, without the slash of a folder. */
  name: string
  overwrite: boolean
}

/** Where each entry goes. A single one may get another name. */
export function copyEntries(entries: readonly Entry[], { folder, name }: Pick<CopyForm, 'folder' | 'name'>) {
  const into = folder === '' || folder.endsWith('/') ? folder : `${folder}/`
  const [only, ...others] = entries
  if (only && others.length === 0) return [{ from: only.key, to: `${into}${name}${only.folder ? '/' : ''}` }]
  return entries.map((entry) => ({ from: entry.key, to: `${into}${entry.name}` }))
}

/** The name of an entry as it is typed: a folder's without its slash. */
export const typedName = ({ name, folder }: Entry) => (folder ? name.slice(0, -1) : name)

/** Whether an entry would be copied onto itself, or a folder into itself. */
export function isOnItself(entries: readonly { from: string; to: string }[]): boolean {
  return entries.some(({ from, to }) => (from.endsWith('/') ? to.startsWith(from) : to === from))
}
