import { IconBucket, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { bucketsQuery } from '../../lib/data/buckets.ts'
import { usePermissions } from '../../lib/data/permissions.ts'
import { navigate } from '../../lib/navigation/navigate.ts'
import { pathToFolder } from '../../lib/navigation/object-address.ts'
import { pathTo, withSearch } from '../../lib/navigation/pages.ts'
import type { PaletteSource } from '../../lib/navigation/palette-entry.ts'
import { useSession } from '../../lib/session/session.ts'
import { formatSize } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'

/** Returns palette entries for all buckets and for creating one. */
export function useBucketPalette(): PaletteSource {
  const t = useT()
  const { pages } = useSession()
  const { data } = useQuery(bucketsQuery)
  const canCreate = usePermissions()('s3:CreateBucket') === true
  const browse = pages.includes('/object-browser/:bucket/*')
  const settings = pages.includes('/buckets/*')

  const items = (data?.buckets ?? []).map(({ name, size }) => {
    const into = () => navigate(pathToFolder(name))
    return {
      area: t('Buckets'),
      label: name,
      icon: IconBucket,
      note: formatSize(size),
      verb: settings ? t('Open Summary') : t('Browse'),
      run: settings ? () => navigate(pathTo('/buckets/$bucket/summary', { bucket: name })) : into,
      ...(browse ? { into } : {}),
    }
  })
  const create = () => navigate(withSearch('/buckets', { create: 'bucket' }))
  return {
    items,
    commands:
      canCreate && pages.includes('/buckets') ? [{ label: t('Create Bucket'), icon: IconPlus, run: create }] : [],
  }
}
