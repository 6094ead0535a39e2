import { usePermissions } from '../../../lib/data/permissions.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { shellWord } from '../../../lib/text/shell.ts'
import { EmptyState } from '../../../ui/feedback/states.tsx'
import { UploadButton } from './UploadButton.tsx'

/** Shown if the folder is empty, or if no key in it begins with the search text. */
export function EmptyFolder({ bucket, prefix, starts }: { bucket: string; prefix: string; starts: string }) {
  const t = useT()
  const refused = usePermissions({ bucket, prefix })('s3:PutObject') === false
  if (starts !== '') return <EmptyState title={t('No keys start with this.')} />
  return (
    <EmptyState
      title={t('This location is empty, please try uploading a new file')}
      actions={<UploadButton bucket={bucket} prefix={prefix} />}
      command={refused ? undefined : `mc cp FILE ${shellWord(`ALIAS/${bucket}/${prefix}`)}`}
    >
      {!refused && t('Drop files or folders anywhere on this page, or choose them here.')}
    </EmptyState>
  )
}
