import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { callLines } from '../../../../lib/api/api.ts'
import { ApiFailure } from '../../../../lib/api/api-failure.ts'
import { readChanged } from '../../../../lib/changes/change.ts'
import { usePermissions } from '../../../../lib/data/permissions.ts'
import { confirm } from '../../../../lib/feedback/confirm.ts'
import { toast } from '../../../../lib/feedback/toast.ts'
import { plural, t, useT } from '../../../../lib/text/i18n.ts'
import { plainName } from '../../../../lib/text/visible-name.ts'
import type { VersionRow } from './use-versions.ts'

interface DeleteVersionsQuestion {
  bucket: string
  objectKey: string
  name: string
  /** The versions to delete, if `scope` is not set. */
  versions?: readonly VersionRow[]
  /** Deletes all versions of the object, or all noncurrent ones. */
  scope?: 'all' | 'non-current'
  onDone?: () => void
}

/** Deletes versions permanently after confirmation. Locked versions remain and are listed in the result. */
export function askDeleteVersions({ bucket, objectKey, name, versions = [], scope, onDone }: DeleteVersionsQuestion) {
  const options = { bypass: false }
  const title =
    scope === 'all' ? t('Delete All Versions') : scope ? t('Delete Noncurrent Versions') : t('Delete Versions')
  const what =
    scope === 'all'
      ? t('Every version of the object will be deleted permanently. This cannot be undone.')
      : scope === 'non-current'
        ? t('Every version but the latest will be deleted permanently. This cannot be undone.')
        : t(
            plural(
              '{{count}} version will be deleted permanently. This cannot be undone.',
              '{{count}} versions will be deleted permanently. This cannot be undone.',
            ),
            { count: versions.length },
          )
  confirm({
    title,
    subject: plainName(name),
    body: (
      <>
        {what}
        <BypassChoice bucket={bucket} objectKey={objectKey} onChange={(on) => (options.bypass = on)} />
      </>
    ),
    action: title,
    danger: true,
    ...(scope === 'all' ? { mustType: plainName(name) } : {}),
    async run() {
      const query = {
        ...(scope === 'all' ? { all_versions: 'true' } : {}),
        ...(scope === 'non-current' ? { non_current_versions: 'true' } : {}),
        ...(options.bypass ? { bypass: 'true' } : {}),
      }
      const body = scope
        ? [{ path: objectKey }]
        : versions.map(({ version_id: versionID }) => ({ path: objectKey, versionID }))
      try {
        const deleted = await deleteListedVersions(bucket, query, body)
        toast.ok(t(plural('{{count}} version deleted', '{{count}} versions deleted'), { count: deleted }))
        onDone?.()
      } finally {
        void readChanged('deleteObjects')
      }
    },
  })
}

/** @returns the number of deleted versions @throws ApiFailure if some could not be deleted */
export async function deleteListedVersions(
  bucket: string,
  query: Record<string, string>,
  body: { path: string; versionID?: string }[],
): Promise<number> {
  let deleted = 0
  for await (const line of callLines('deleteObjects', { params: { bucket }, query, body })) {
    deleted = line.deleted
    if (!('done' in line) || line.failed === 0) continue
    const [error] = line.errors
    throw new ApiFailure(200, {
      message: t(plural('{{count}} version could not be deleted', '{{count}} versions could not be deleted'), {
        count: line.failed,
      }),
      detailedMessage: error?.message ?? '',
      cause: error?.code ?? '',
    })
  }
  return deleted
}

/** The option to bypass governance retention, shown to users with the right to do so. */
function BypassChoice({
  bucket,
  objectKey,
  onChange,
}: {
  bucket: string
  objectKey: string
  onChange: (on: boolean) => void
}) {
  const t = useT()
  const [on, setOn] = useState(false)
  const may = usePermissions({ bucket, prefix: objectKey })
  if (may('s3:BypassGovernanceRetention') !== true) return null
  return (
    <Checkbox
      mt={12}
      label={t('Delete versions under governance retention too')}
      checked={on}
      onChange={(event) => {
        setOn(event.currentTarget.checked)
        onChange(event.currentTarget.checked)
      }}
    />
  )
}
