import { Button } from '@mantine/core'
import { readChanged } from '../../../../lib/changes/change.ts'
import { confirm } from '../../../../lib/feedback/confirm.ts'
import { toast } from '../../../../lib/feedback/toast.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { lastSegment } from '../../../../lib/text/last-segment.ts'
import { plainName } from '../../../../lib/text/visible-name.ts'
import { Disabled, useDisabledReason } from '../../../../ui/controls/Disabled.tsx'
import { deleteListedVersions } from './delete-versions.tsx'

interface UndeleteButtonProps {
  bucket: string
  objectKey: string
  /** The version ID of the delete marker. */
  markerId: string
}

/** The button that removes a delete marker, so that the previous version becomes the latest again. */
export function UndeleteButton({ bucket, objectKey, markerId }: UndeleteButtonProps) {
  const t = useT()
  const needs = useDisabledReason({ bucket, prefix: objectKey })
  const name = plainName(lastSegment(objectKey))
  const ask = () =>
    confirm({
      title: t('Undo Deletion'),
      subject: name,
      body: t('The delete marker will be deleted. The version below it becomes the latest again.'),
      action: t('Undo Deletion'),
      async run() {
        await deleteListedVersions(bucket, {}, [{ path: objectKey, versionID: markerId }])
        toast.ok(t('{{name}} restored', { name }))
        void readChanged('deleteObjects')
      },
    })
  return (
    <Disabled reason={needs('s3:DeleteObjectVersion')}>
      <Button onClick={ask}>{t('Undo Deletion')}</Button>
    </Disabled>
  )
}
