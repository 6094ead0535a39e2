import { confirm } from '../../lib/feedback/confirm.ts'
import { t } from '../../lib/text/i18n.ts'

/** It loads the server, so that nobody starts it by a slip. */
export function askSpeedTest(test: 'drive' | 'object', run: () => Promise<void>): void {
  confirm({
    title: t('Start Speed Test'),
    body:
      test === 'drive'
        ? t('The test writes and reads as fast as the drives can. Requests of users are slower meanwhile.')
        : t('The test takes all the server can do. A MinIO server serves no other S3 requests until it has ended.'),
    action: t('Start Speed Test'),
    danger: true,
    mustType: 'speed test',
    run,
  })
}
