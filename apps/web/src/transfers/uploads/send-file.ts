import { ApiFailure } from '../../lib/api/api-failure.ts'
import { t } from '../../lib/text/i18n.ts'
import { type MultipartDeps, uploadInParts } from './multipart-upload.ts'
import { type RetryDelay, withRetries } from './retry.ts'
import type { UploadTask } from './upload-task.ts'

/**
 * Uploads a task's file, as a form or in parts.
 * @throws ApiFailure, or the signal's reason
 */
export async function sendFile(task: UploadTask, file: File, given: MultipartDeps, signal: AbortSignal): Promise<void> {
  /** Does not try again if the file has changed. */
  const wait: RetryDelay = async (ms, signal, error) => {
    if (error?.status === 0 && !(await isReadable(file))) throw fileChanged()
    await given.wait(ms, signal, error)
  }
  const deps = { ...given, wait }
  try {
    if (task.parted) {
      task.parted.replace = task.replace
      return await uploadInParts(task.parted, file, deps, signal)
    }
    const onProgress = (sent: number) => deps.onProgress(sent, 0)
    await withRetries(signal, deps.wait, () =>
      deps.limit(signal, () =>
        deps.api.sendForm(task.bucket, task.key, file, { replace: task.replace, signal, onProgress }),
      ),
    )
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 0 && !(await isReadable(file))) throw fileChanged()
    throw error
  }
}

function fileChanged(): ApiFailure {
  return new ApiFailure(0, { message: t('The file was changed, moved or deleted after it was chosen') })
}

/** A browser reports a file that it can no longer read in the same way as a network failure. */
async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer()
    return true
  } catch {
    return false
  }
}
