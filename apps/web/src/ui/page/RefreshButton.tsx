import { ActionIcon, Button, Tooltip } from '@mantine/core'
import type { ReadOperation } from '@stowage/contract'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { invalidate } from '../../lib/api/query.ts'
import { useT } from '../../lib/text/i18n.ts'
import { whileBusy } from '../controls/while-busy.tsx'
import { useLongWait } from '../feedback/states.tsx'
import { Icon } from '../icons/Icon.tsx'

interface RefreshButtonProps {
  /** The calls that the button makes again. */
  reads: readonly ReadOperation[]
  /** The text of the button. Default: an icon button. */
  label?: string
  /** Called in addition. */
  onRefresh?: () => void
}

/** A button that makes calls of the page again. `Page` shows it if `refresh` is set. */
export function RefreshButton({ reads, label, onRefresh }: RefreshButtonProps) {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const late = useLongWait(busy)
  const refresh = async () => {
    setBusy(true)
    onRefresh?.()
    await invalidate(...reads).finally(() => setBusy(false))
  }
  const icon = <Icon of={IconRefresh} />
  const shared = { ...whileBusy(late), onClick: () => void (busy || refresh()) }
  if (label !== undefined) {
    return (
      <Button leftSection={icon} {...shared}>
        {label}
      </Button>
    )
  }
  return (
    <Tooltip label={t('Refresh')}>
      <ActionIcon variant="default" size={32} aria-label={t('Refresh')} {...shared}>
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}
