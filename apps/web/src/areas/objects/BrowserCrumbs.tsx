import { useT } from '../../lib/i18n.ts'
import { type BrowserPlace, paths } from '../../paths.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Crumbs } from '../../ui/Crumbs.tsx'
import { ObjectName } from '../../ui/ObjectName.tsx'
import { lastSegment } from './entries.ts'

/** `All Buckets / bucket / folder / … / object`, with the path to copy. */
export function BrowserCrumbs({ bucket, prefix, key }: BrowserPlace) {
  const t = useT()
  return (
    <Crumbs
      deep
      items={[
        { label: t('All Buckets'), to: paths.objectBrowser },
        { label: bucket, to: paths.browse(bucket), mono: true },
        ...foldersOf(prefix).map((folder) => ({
          label: <ObjectName name={titleOf(folder)} />,
          to: paths.browse(bucket, folder),
          mono: true,
        })),
        ...(key === undefined ? [] : [{ label: <ObjectName name={lastSegment(key)} />, mono: true }]),
      ]}
      after={<CopyButton text={`${bucket}/${key ?? prefix}`} name={t('path')} />}
    />
  )
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
