import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { callLines } from '../../../lib/api/api.ts'
import { readChanged } from '../../../lib/api/change.ts'
import { ApiFailure } from '../../../lib/failure.ts'
import { confirm } from '../../../lib/feedback/confirm.ts'
import { toast } from '../../../lib/feedback/toast.ts'
import { useMay } from '../../../lib/session/permissions.ts'
import { plural, t, useT } from '../../../lib/text/i18n.ts'
import { plainName } from '../../../lib/text/visible-name.ts'
import type { VersionRow } from './use-versions.ts'

interface Question {
  bucket: string
  objectKey: string
  name: string
  /** These versions … */
  versions?: readonly VersionRow[]
  /** … or, of all that the object has, those. */
  scope?: 'all' | 'non-current'
  onDone?: () => void
}

/** Asks, then deletes versions permanently; locked versions stay and are listed in the result. */
export function askDeleteVersions({ bucket, objectKey, name, versions = [], scope, onDone }: Question) {
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
        const deleted = await deleteAll(bucket, query, body)
        toast.ok(t(plural('{{count}} version deleted', '{{count}} versions deleted'), { count: deleted }))
        onDone?.()
      } finally {
        void readChanged('deleteObjects')
      }
    },
  })
}

/** @returns how many were deleted @throws ApiFailure when some could not be */
export async function deleteAll(
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

/** Whether governance retention is overridden, for callers that may. */
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
  const may = useMay({ bucket, prefix: objectKey })
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
