import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useT } from '../../lib/text/i18n.ts'
import { Icon } from '../../ui/Icon.tsx'
import { EmptyState } from '../../ui/states.tsx'

/** Shown if there are no buckets. @param mayCreate undefined while unknown */
export function BucketsEmpty({ mayCreate, onCreate }: { mayCreate: boolean | undefined; onCreate: () => void }) {
  const t = useT()
  return (
    <EmptyState
      title={t('There are no Buckets yet.')}
      actions={
        mayCreate && (
          <Button variant="filled" leftSection={<Icon of={IconPlus} />} onClick={onCreate}>
            {t('Create Bucket')}
          </Button>
        )
      }
      command={mayCreate ? 'mc mb myserver/my-first-bucket' : undefined}
    >
      {t('A bucket stores objects, with its own access policy, versioning and quota.')}
      {mayCreate === false && ` ${t('Your policy does not allow you to create one.')}`}
    </EmptyState>
  )
}
