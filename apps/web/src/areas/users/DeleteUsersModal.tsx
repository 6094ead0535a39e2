import { plural, useT } from '../../lib/text/i18n.ts'
import { BulkDialog } from '../../ui/dialog/BulkDialog.tsx'

/** The dialog to delete the selected users. */
export function DeleteUsersModal({ names, onClose }: { names: string[]; onClose: () => void }) {
  const t = useT()
  return (
    <BulkDialog
      title={t(plural('Delete {{count}} user', 'Delete {{count}} users'), { count: names.length })}
      body={t('The users will be deleted permanently, with their service accounts. Their sessions end at once.')}
      names={names}
      operation="deleteUser"
      input={(user) => ({ query: { name: user }, body: { id: user } })}
      done={t('Deleted')}
      progress={(deleted, total) => t('{{deleted}} of {{total}} deleted', { deleted, total })}
      failed={(count) =>
        t(plural('{{count}} user could not be deleted', '{{count}} users could not be deleted'), { count })
      }
      message={(count) => t(plural('{{count}} user deleted', '{{count}} users deleted'), { count })}
      danger
      onClose={onClose}
    />
  )
}
