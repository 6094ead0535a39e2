import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useT } from '../../lib/text/i18n.ts'
import { Icon } from '../icons/Icon.tsx'
import { useFocusReturn } from '../keyboard/restore-focus.ts'
import { whileBusy } from './while-busy.tsx'

interface RetryButtonProps {
  /** Called on click; the button is busy until the returned promise settles. */
  onRetry: () => unknown
  size?: 'xs'
}

/** The button beside an error. When the error disappears, the button moves the focus on. */
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
