import { useT } from '../../../lib/text/i18n.ts'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { RequestTimeline, type RequestTimelineProps } from './RequestTimeline.tsx'

interface RequestTimelineDialogProps extends RequestTimelineProps {
  onClose: () => void
}

/** The timeline of a request in a dialog; the trace on the page below continues. */
export function RequestTimelineDialog({ onClose, ...request }: RequestTimelineDialogProps) {
  const t = useT()
  return (
    <Dialog title={t('Request {{id}}', { id: request.requestId })} size={1080} onClose={onClose}>
      <RequestTimeline {...request} />
    </Dialog>
  )
}
