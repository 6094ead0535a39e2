import { useMediaQuery } from '@mantine/hooks'
import { useT } from '../../lib/i18n.ts'
import { type BrowserPlace, paths } from '../../paths.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { type Crumb, Crumbs } from '../../ui/Crumbs.tsx'
import { ObjectName } from '../../ui/ObjectName.tsx'
import { lastSegment } from './entries.ts'

/** `All Buckets / bucket / folder / … / object`, with the path to copy. */
export function BrowserCrumbs({ place: { bucket, prefix, key } }: { place: BrowserPlace }) {
  const t = useT()
  const small = useMediaQuery('(max-width: 640px)', undefined, { getInitialValueInEffect: false })
  const crumbs: Crumb[] = [
    { label: t('All Buckets'), to: paths.objectBrowser },
    { label: bucket, to: paths.browse(bucket), mono: true },
    ...foldersOf(prefix).map((folder) => ({
      label: <ObjectName name={titleOf(folder)} />,
      to: paths.browse(bucket, folder),
      mono: true,
    })),
    ...(key === undefined ? [] : [{ label: <ObjectName name={lastSegment(key)} />, mono: true }]),
  ]
  return (
    <Crumbs
      deep
      items={small ? shorten(crumbs, 0, 3) : shorten(crumbs, 2, 4)}
      after={!small && <CopyButton text={`${bucket}/${key ?? prefix}`} name={t('path')} />}
    />
  )
}

/** The first and the last of a long path; what is between is one step, which leads to the deepest of it. */
export function shorten(crumbs: Crumb[], first: number, last: number): Crumb[] {
  if (crumbs.length <= first + last + 1) return crumbs
  const hidden = crumbs.slice(first, -last).at(-1)
  const to = hidden?.to
  return [...crumbs.slice(0, first), { label: '…', ...(to !== undefined && { to }) }, ...crumbs.slice(-last)]
}

/** A folder and those that it is in, from the bucket down: `a/`, `a/b/`. */
export function foldersOf(prefix: string): string[] {
  const folders: string[] = []
  for (let at = prefix.indexOf('/'); at >= 0; at = prefix.indexOf('/', at + 1)) folders.push(prefix.slice(0, at + 1))
  return folders
}

/** A folder's own name; one without a name is shown by its slash. */
export function titleOf(folder: string): string {
  return lastSegment(folder).slice(0, -1) || '/'
}
