import { plural, useT } from '../../../lib/text/i18n.ts'
import { BulkDialog } from '../../../ui/dialog/BulkDialog.tsx'
import { EmptyBucketFirst, isBucketNotEmpty } from '../bucket/delete-bucket.tsx'

/** The dialog to delete the selected buckets. */
export function DeleteBucketsModal({ names, onClose }: { names: string[]; onClose: () => void }) {
  const t = useT()
  return (
    <BulkDialog
      title={t(plural('Delete {{count}} bucket', 'Delete {{count}} buckets'), { count: names.length })}
      body={t('The buckets and their settings will be deleted permanently. Only empty buckets can be deleted.')}
      names={names}
      operation="deleteBucket"
      input={(bucket) => ({ params: { bucket }, body: { name: bucket } })}
      done={t('Deleted')}
      progress={(deleted, total) => t('{{deleted}} of {{total}} deleted', { deleted, total })}
      failed={(count) =>
        t(plural('{{count}} bucket could not be deleted', '{{count}} buckets could not be deleted'), { count })
      }
      message={(count) => t(plural('{{count}} bucket deleted', '{{count}} buckets deleted'), { count })}
      help={(error, bucket) => isBucketNotEmpty(error) && <EmptyBucketFirst bucket={bucket} />}
      danger
      onClose={onClose}
    />
  )
}
