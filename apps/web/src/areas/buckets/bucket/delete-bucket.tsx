import { asFailure } from '../../../lib/api/api.ts'
import { change } from '../../../lib/changes/change.ts'
import { confirmDelete, openConfirmation } from '../../../lib/feedback/confirm.ts'
import { pathToFolder } from '../../../lib/navigation/object-address.ts'
import { t, useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { transferJobs } from '../../../transfers/transfers.ts'
import { Disabled, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { Link } from '../../../ui/controls/Link.tsx'
import css from '../styles/buckets.module.css'
import { RemainingContents } from './RemainingContents.tsx'

/** Reports whether the storage server rejected a deletion because the bucket contains objects. */
export const isBucketNotEmpty = (error: unknown) => asFailure(error).code === 'BucketNotEmpty'

/** Deletes a bucket after confirmation. @param onDone leaves the page of the bucket */
export function askDeleteBucket(bucket: string, onDone?: () => void) {
  confirmDelete({
    title: t('Delete Bucket'),
    name: bucket,
    body: (
      <Trans
        text="<name/> and its settings will be deleted permanently. Only an empty bucket can be deleted."
        parts={{ name: <b>{bucket}</b> }}
      />
    ),
    run: () =>
      change(
        'deleteBucket',
        { params: { bucket }, body: { name: bucket } },
        { message: () => t('Bucket {{name}} deleted', { name: bucket }), ...(onDone && { onDone }) },
      ),
    help: (error) => isBucketNotEmpty(error) && <EmptyBucketFirst bucket={bucket} />,
  })
}

/** Deletes everything in a bucket after confirmation, as a job in the tray. */
function askEmptyBucket(bucket: string) {
  confirmDelete({
    title: t('Empty Bucket'),
    name: bucket,
    body: (
      <Trans
        text="Every object in <name/>, all versions, delete markers and incomplete uploads will be deleted. This cannot be undone. Versions under retention or legal hold stay."
        parts={{ name: <b>{bucket}</b> }}
      />
    ),
    mustType: bucket,
    run: () => {
      transferJobs.start(bucket, { type: 'delete', paths: [] })
      return Promise.resolve()
    },
  })
}

/** Explains what prevents a bucket from being deleted, and what the user can do. */
export function EmptyBucketFirst({ bucket }: { bucket: string }) {
  const t = useT()
  const needs = useDisabledReason({ bucket })
  return (
    <span className={css.ways}>
      <RemainingContents bucket={bucket} />
      <Link to={pathToFolder(bucket)} className="link" onClick={() => openConfirmation.set(undefined)}>
        {t('Open it in the Object Browser')}
      </Link>
      <Disabled reason={needs('s3:DeleteObjectVersion') || needs('s3:ListBucketVersions')}>
        <button type="button" className="link" onClick={() => askEmptyBucket(bucket)}>
          {t('Empty Bucket')}
        </button>
      </Disabled>
    </span>
  )
}
