import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useT } from '../../lib/i18n.ts'
import { Icon } from '../../ui/Icon.tsx'
import { EmptyState } from '../../ui/states.tsx'

/** The list without a bucket; `onCreate` is absent where the user may not create one. */
export function BucketsEmpty({ onCreate }: { onCreate: (() => void) | undefined }) {
  const t = useT()
  return (
    <EmptyState
      title={t('There are no Buckets yet.')}
      actions={
        onCreate && (
          <Button variant="filled" leftSection={<Icon of={IconPlus} />} onClick={onCreate}>
            {t('Create Bucket')}
          </Button>
        )
      }
      command={onCreate && 'mc mb myserver/my-first-bucket'}
    >
      {t('A bucket holds objects under one name, with its own access, versioning and quota.')}
      {!onCreate && ` ${t('Your policy does not let you create one.')}`}
    </EmptyState>
  )
}
