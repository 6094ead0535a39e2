import { Modal, type ModalProps } from '@mantine/core'
import { useT } from '../lib/text/i18n.ts'
import { useFocusReturn } from './focus.ts'
import { useOpenDialog } from './open-dialogs.ts'

interface DialogProps extends Omit<ModalProps, 'opened'> {
  /** It has something to fill in, which a click beside it must not throw away. */
  fields?: boolean
  /** What it began cannot be called back: it stays until that has ended. */
  busy?: boolean
}

/** Every dialog of the console: open while it is mounted. It gives the focus back; Escape closes only the uppermost. */
export function Dialog({ fields = false, busy = false, onClose, ...rest }: DialogProps) {
  const t = useT()
  const uppermost = useOpenDialog()
  useFocusReturn()
  return (
    <Modal
      opened
      onClose={() => busy || onClose()}
      closeOnEscape={uppermost}
      closeOnClickOutside={!fields}
      closeButtonProps={{ 'aria-label': t('Close') }}
      {...rest}
    />
  )
}
