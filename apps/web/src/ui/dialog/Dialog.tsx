import { Modal, type ModalProps } from '@mantine/core'
import { useT } from '../../lib/text/i18n.ts'
import { useOpenDialog } from '../keyboard/open-dialogs.ts'
import { useFocusReturn } from '../keyboard/restore-focus.ts'

interface DialogProps extends Omit<ModalProps, 'opened'> {
  /** True for a dialog with input fields: a click outside must not close it and discard the input. */
  fields?: boolean
  /** True while an operation runs that cannot be cancelled: the dialog cannot be closed until it ends. */
  busy?: boolean
}

/** The base of every dialog. Open while mounted. On close it returns the focus; Escape closes only the topmost dialog. */
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
