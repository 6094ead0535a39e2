import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useT } from '../../../lib/text/i18n.ts'
import { EmptyState } from '../../../ui/feedback/states.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'

interface BucketsEmptyProps {
  /** Undefined while unknown. */
  mayCreate: boolean | undefined
  onCreate: () => void
  /** Whether the page has the button Go to. */
  canGoTo?: boolean
}

/** Shown if there are no buckets, or none that the user may list. */
export function BucketsEmpty({ mayCreate, onCreate, canGoTo = false }: BucketsEmptyProps) {
  const t = useT()
  if (mayCreate === false && canGoTo) {
    return (
      <EmptyState title={t('There are no buckets that you may list.')}>
        {t('To open a bucket or folder whose name you know, choose Go to.')}
      </EmptyState>
    )
  }
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
