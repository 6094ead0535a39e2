import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useT } from '../lib/text/i18n.ts'
import { useFocusReturn } from './focus.ts'
import { Icon } from './Icon.tsx'
import { whileBusy } from './while-busy.tsx'

interface RetryButtonProps {
  /** Tries again; the button is busy until that has ended. */
  onRetry: () => unknown
  size?: 'xs'
}

/** Beside a failure: goes with it, and gives the focus back then. */
export function RetryButton({ onRetry, size }: RetryButtonProps) {
  const t = useT()
  const [busy, setBusy] = useState(false)
  useFocusReturn()
  const retry = async () => {
    setBusy(true)
    try {
      await onRetry()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      {...(size && { size })}
      leftSection={<Icon of={IconRefresh} />}
      {...whileBusy(busy)}
      onClick={() => void retry()}
    >
      {t('Retry')}
    </Button>
  )
}
