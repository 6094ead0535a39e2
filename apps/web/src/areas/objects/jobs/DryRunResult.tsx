import { formatSize } from '../../../lib/text/format.ts'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { plainName } from '../../../lib/text/visible-name.ts'
import { ChangePreview, FormError } from '../../../ui/dialog/FormModal.tsx'
import { TechnicalDetails } from '../../../ui/feedback/Banner.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import type { useDryRun } from './use-dry-run.ts'

/** A summary of what a job would do. "Details" lists the objects. */
export function DryRunResult({ run }: { run: Pick<ReturnType<typeof useDryRun>, 'checked' | 'report' | 'error'> }) {
  const t = useT()
  const { checked, report, error } = run
  if (error) return <FormError error={error} />
  if (checked !== undefined)
    return (
      <ChangePreview>
        {t(plural('{{count}} object checked', '{{count}} objects checked'), { count: checked })}
      </ChangePreview>
    )
  if (!report) return null
  const { count, skipped, failed, bytes, errors, changes } = report
  const lines = (notes: readonly { path: string; message: string }[] = []) =>
    notes.map(({ path, message }) => `${plainName(path)}: ${plainName(message)}`).join('\n')
  return (
    <ChangePreview>
      <div>
        <StatusIcon state="ok">
          {t(plural('{{count}} object would be changed ({{size}})', '{{count}} objects would be changed ({{size}})'), {
            count,
            size: formatSize(bytes),
          })}
        </StatusIcon>{' '}
        {changes && changes.length > 0 && <TechnicalDetails text={lines(changes)} />}
      </div>
      {skipped > 0 && (
        <div>
          <StatusIcon state="off">
            {t(plural('{{count}} object would be unchanged', '{{count}} objects would be unchanged'), {
              count: skipped,
            })}
          </StatusIcon>
        </div>
      )}
      {failed > 0 && (
        <div>
          <StatusIcon state="bad">
            {t(plural('{{count}} object cannot be changed', '{{count}} objects cannot be changed'), { count: failed })}
          </StatusIcon>
        </div>
      )}
      {errors.length > 0 && <TechnicalDetails text={lines(errors)} />}
    </ChangePreview>
  )
}
