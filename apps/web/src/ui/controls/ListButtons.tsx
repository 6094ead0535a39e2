import { Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useT } from '../../lib/text/i18n.ts'
import { Icon } from '../icons/Icon.tsx'
import { Disabled } from './Disabled.tsx'

interface ListButtonProps {
  /** The reason why the button is disabled. Without a reason it is enabled. */
  reason: ReactNode
  onClick: () => void
}

/**
 * A button that adds an item to the list below it: `<AddButton reason={missing} onClick={…}>{t('Add Access
 * Rule')}</AddButton>`.
 */
export function AddButton({ reason, onClick, children }: ListButtonProps & { children: ReactNode }) {
  return (
    <Disabled reason={reason}>
      <Button size="xs" leftSection={<Icon of={IconPlus} />} onClick={onClick}>
        {children}
      </Button>
    </Disabled>
  )
}

/** A button that deletes the selected rows. */
export function DeleteButton({ reason, onClick }: ListButtonProps) {
  const t = useT()
  return (
    <Disabled reason={reason}>
      <Button size="xs" variant="danger" leftSection={<Icon of={IconTrash} />} onClick={onClick}>
        {t('Delete')}
      </Button>
    </Disabled>
  )
}
