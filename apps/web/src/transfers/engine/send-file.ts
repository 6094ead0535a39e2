import { ApiFailure } from '../../lib/failure.ts'
import { t } from '../../lib/text/i18n.ts'
import { type PartedDeps, uploadInParts } from './parted-upload.ts'
import { retrying } from './retry.ts'
import type { Task } from './upload-task.ts'

/**
 * Uploads a task's file, as a form or in parts.
 * @throws ApiFailure, or the signal's reason
 */
export async function sendFile(task: Task, file: File, deps: PartedDeps, signal: AbortSignal): Promise<void> {
  try {
    if (task.parted) return await uploadInParts(task.parted, file, deps, signal)
    const onProgress = (sent: number) => deps.onProgress(sent, 0)
    await retrying(signal, deps.wait, () =>
      deps.slots.use(signal, () => deps.api.sendForm(task.bucket, task.key, file, { signal, onProgress })),
    )
  } catch (error) {
    // A browser reports a file that it can no longer read in the same way as a network failure.
    if (error instanceof ApiFailure && error.status === 0 && !(await isReadable(file))) {
      throw new ApiFailure(0, { message: t('The file was changed, moved or deleted after it was chosen') })
    }
    throw error
  }
}

async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer()
    return true
  } catch {
    return false
  }
}
