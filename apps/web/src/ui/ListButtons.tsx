import { Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useT } from '../lib/text/i18n.ts'
import { Disabled } from './Disabled.tsx'
import { Icon } from './Icon.tsx'

interface ListButtonProps {
  /** Why it is out of use; without a reason it works. */
  reason: ReactNode
  onClick: () => void
}

/** Adds to the list below it: `<AddButton reason={missing} onClick={…}>{t('Add Access Rule')}</AddButton>`. */
export function AddButton({ reason, onClick, children }: ListButtonProps & { children: ReactNode }) {
  return (
    <Disabled reason={reason}>
      <Button size="xs" leftSection={<Icon of={IconPlus} />} onClick={onClick}>
        {children}
      </Button>
    </Disabled>
  )
}

/** Deletes the rows that are selected. */
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
