import { Button } from '@mantine/core'
import { useT } from '../../../lib/text/i18n.ts'
import { Link } from '../../../ui/controls/Link.tsx'

/** A button for bucket pages that cannot be shown. */
export function BackToBuckets() {
  const t = useT()
  return (
    <Button component={Link} to="/buckets">
      {t('Back to Buckets')}
    </Button>
  )
}
