import { asFailure, call } from '../../lib/api/api.ts'
import { invalidate } from '../../lib/api/query.ts'
import { confirmDelete, confirming } from '../../lib/feedback/confirm.ts'
import { toast } from '../../lib/feedback/toast.ts'
import { pathToFolder } from '../../lib/navigation/object-address.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Trans } from '../../lib/text/Trans.tsx'
import { Link } from '../../ui/Link.tsx'

/** The answer to a bucket that still holds objects, in the storage server's word. */
export const isNotEmpty = (error: unknown) => asFailure(error).code === 'BucketNotEmpty'

/** Deletes one bucket after a question. `onDeleted` runs before the list is read again. */
export function useDeleteBucket(onDeleted?: () => void) {
  const t = useT()
  return (name: string) =>
    confirmDelete({
      title: t('Delete Bucket'),
      name,
      body: (
        <Trans
          text="<name/> and its settings will be deleted permanently. Only an empty bucket can be deleted."
          parts={{ name: <b>{name}</b> }}
        />
      ),
      run: async () => {
        await call('deleteBucket', { params: { bucket: name }, body: { name } })
        onDeleted?.()
        toast.ok(t('Bucket {{name}} deleted', { name }))
        await invalidate('listBuckets')
      },
      help: (error) => isNotEmpty(error) && <EmptyItFirst bucket={name} />,
    })
}

/** Where the objects are that keep a bucket from being deleted. */
export function EmptyItFirst({ bucket }: { bucket: string }) {
  const t = useT()
  return (
    <Link to={pathToFolder(bucket)} className="link" onClick={() => confirming.set(undefined)}>
      {t('Open it in the Object Browser')}
    </Link>
  )
}
