import { callLines } from '../../../lib/api/api.ts'
import { ApiFailure } from '../../../lib/api/api-failure.ts'
import { t } from '../../../lib/text/i18n.ts'

/**
 * Deletes one object and waits for the result. In a versioned bucket this adds a delete marker.
 * @throws ApiFailure, also for an error in the report
 */
export async function deleteSingleObject(bucket: string, key: string): Promise<void> {
  for await (const line of callLines('deleteObject', { params: { bucket }, query: { path: key } })) {
    if (!('done' in line) || line.failed === 0) continue
    const [error] = line.errors
    throw new ApiFailure(200, {
      message: error?.message ?? t('The object could not be deleted'),
      cause: error?.code ?? '',
    })
  }
}
