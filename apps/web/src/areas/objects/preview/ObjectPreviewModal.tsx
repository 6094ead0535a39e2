import { useT } from '../../../lib/text/i18n.ts'
import { plainName } from '../../../lib/text/visible-name.ts'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import css from '../styles/object-detail.module.css'
import { ObjectPreview } from './ObjectPreview.tsx'
import type { PreviewKind } from './preview-kind.ts'

interface ObjectPreviewModalProps {
  bucket: string
  objectKey: string
  name: string
  size: number
  versionId: string | undefined
  kind: PreviewKind
  onClose: () => void
}

/** The dialog with a preview of an object, opened from a list. */
export function ObjectPreviewModal({ onClose, ...rest }: ObjectPreviewModalProps) {
  const t = useT()
  return (
    <Dialog onClose={onClose} size={900} title={t('Preview - {{name}}', { name: plainName(rest.name) })}>
      <div className={css.preview}>
        <ObjectPreview {...rest} />
      </div>
    </Dialog>
  )
}
