import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api/query.ts'
import { useChange } from '../../lib/changes/change.ts'
import { useSession } from '../../lib/session/session.ts'
import { plural, useT } from '../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../ui/controls/Disabled.tsx'
import { whileBusy } from '../../ui/controls/while-busy.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import formCss from '../../ui/dialog/FormModal.module.css'
import { DialogTitle, FormError, WIDE_DIALOG_WIDTH } from '../../ui/dialog/FormModal.tsx'
import { QueryView } from '../../ui/feedback/QueryView.tsx'
import css from './replication.module.css'

interface ReplicationFailuresDialogProps {
  bucket: string
  arn: string
  /** The name of the target. */
  name: string
  onClose: () => void
}

/** The dialog with the versions that a target rejected, and why. All of them can be retried. */
export function ReplicationFailuresDialog({ bucket, arn, name, onClose }: ReplicationFailuresDialogProps) {
  const t = useT()
  const needs = useDisabledReason({ bucket })
  const canRetry = useSession().capabilities.includes('replication-retry')
  const query = useQuery(q('listReplicationFailures', { params: { bucket }, query: { arn } }))
  const retry = useChange('retryReplication', {
    onDone: onClose,
    message: ({ retried }) =>
      t(plural('{{count}} object is sent again', '{{count}} objects are sent again'), { count: retried }),
  })
  return (
    <Dialog
      busy={retry.isPending}
      onClose={onClose}
      size={WIDE_DIALOG_WIDTH}
      title={<DialogTitle title={t('Failed Replication')} subject={name} />}
    >
      <div className={formCss.body}>
        <QueryView query={query} needs={{ action: 'admin:ReplicationDiff', bucket }}>
          {({ failures, truncated }) => (
            <>
              <ul className={css.failures}>
                {failures.map((failure) => (
                  <li key={`${failure.object} ${failure.version_id}`}>
                    <div className="strong">{failure.object}</div>
                    <div className="small ink-2">{failure.error || t('The target gave no reason')}</div>
                  </li>
                ))}
              </ul>
              {!canRetry && <p className="ink-3">{t('The server sends them again by itself.')}</p>}
              {truncated && <p className="ink-3">{t('Only the first 1,000 are shown.')}</p>}
            </>
          )}
        </QueryView>
        {retry.error && <FormError error={retry.error} />}
      </div>
      <div className={formCss.foot}>
        <div className="grow" />
        <Button onClick={onClose} disabled={retry.isPending} data-autofocus>
          {t('Close')}
        </Button>
        {canRetry && (
          <Disabled reason={needs('admin:SetBucketTarget')}>
            <Button
              variant="filled"
              {...whileBusy(retry.isPending)}
              onClick={() => retry.run({ params: { bucket }, body: { arn } })}
            >
              {t('Try All Again')}
            </Button>
          </Disabled>
        )}
      </div>
    </Dialog>
  )
}
