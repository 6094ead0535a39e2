import { useT } from '../../../lib/text/i18n.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Timeline, type TimelineProps } from './Timeline.tsx'

interface FollowDialogProps extends TimelineProps {
  onClose: () => void
}

/** The timeline of a request in a dialog; the trace on the page below continues. */
export function FollowDialog({ onClose, ...request }: FollowDialogProps) {
  const t = useT()
  return (
    <Dialog title={t('Request {{id}}', { id: request.requestId })} size={1080} onClose={onClose}>
      <Timeline {...request} />
    </Dialog>
  )
}
