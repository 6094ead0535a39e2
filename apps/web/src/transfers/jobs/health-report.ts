import type { JobLine } from '@stowage/contract'
import { ApiFailure } from '../../lib/api/api-failure.ts'
import { createLiveStream } from '../../lib/api/live-stream.ts'
import { t } from '../../lib/text/i18n.ts'
import type { HealthReportTask } from '../list/types.ts'
import { keepHealthReport } from './kept-health-reports.ts'

/** Reads the report about the servers, and keeps it for the page. Each section that is complete counts. */
export async function* readHealthReport(task: HealthReportTask, signal: AbortSignal): AsyncGenerator<JobLine> {
  const query = { deadline: '1h', anonymize: task.masked ? 'strict' : 'none' } as const
  const stream = createLiveStream('healthInfo', () => ({ query }), { inBackground: true })
  const stop = () => stream.stop()
  signal.addEventListener('abort', stop)
  let count = 0
  const sums = () => ({ count, skipped: 0, failed: 0, bytes: 0 })
  try {
    stream.start()
    for (;;) {
      const { status, progress, failure } = stream.get()
      if (progress && progress.done > count) {
        count = progress.done
        yield sums()
        // It may have changed meanwhile.
        continue
      }
      if (status === 'ended') break
      if (status === 'failed' || status === 'stopped')
        throw failure ?? new ApiFailure(0, { message: t('The connection to the console was lost') })
      await nextChange(stream)
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stream.stop()
  }
  const report = stream.all().at(-1)?.message
  if (report) keepHealthReport(task, report)
  yield { done: true, ...sums(), errors: [] }
}

async function nextChange({ subscribe }: { subscribe(listener: () => void): () => void }): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = subscribe(() => {
      end()
      resolve()
    })
  })
}
