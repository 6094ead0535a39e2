import { Button } from '@mantine/core'
import type { ReplicationTarget } from '@stowage/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../lib/api/query.ts'
import { change } from '../../lib/changes/change.ts'
import { confirm } from '../../lib/feedback/confirm.ts'
import { formatSize } from '../../lib/text/format.ts'
import { plural, useT } from '../../lib/text/i18n.ts'
import { Trans } from '../../lib/text/Trans.tsx'
import { Disabled, useDisabledReason } from '../../ui/controls/Disabled.tsx'
import { StatusIcon } from '../../ui/icons/StatusIcon.tsx'
import { loadableDialog } from '../../ui/lazy/loadable.tsx'
import { Cell, Cells, CellValue } from '../../ui/page/Cell.tsx'
import { Time } from '../../ui/values/Time.tsx'
import css from './replication.module.css'

const ReplicationFailuresDialog = loadableDialog(
  async () => (await import('./ReplicationFailuresDialog.tsx')).ReplicationFailuresDialog,
)

/** Refresh interval while the page is visible (ms), because backlogs shrink on their own. */
const REFRESH_INTERVAL_MS = 10_000

/** The remote targets of a bucket: whether they are reachable, and their backlog. */
export function ReplicationTargets({ bucket }: { bucket: string }) {
  // The rules are the main content; without the right to list targets, only the rules are shown.
  const { data } = useQuery({
    ...q('listReplicationTargets', { params: { bucket } }),
    refetchInterval: REFRESH_INTERVAL_MS,
  })
  if (!data || data.targets.length === 0) return null
  return (
    <Cells>
      {data.targets.map((target) => (
        <TargetItem key={target.arn} bucket={bucket} target={target} wide={data.targets.length === 1} />
      ))}
    </Cells>
  )
}

function TargetItem({ bucket, target, wide }: { bucket: string; target: ReplicationTarget; wide: boolean }) {
  const t = useT()
  const needs = useDisabledReason({ bucket })
  const [showing, setShowing] = useState(false)
  const { online, pending, failed, completed, bandwidth, last_online: lastOnline } = target
  const { pending_since: since, current_bandwidth: current = 0 } = target
  const name = `${target.bucket} (${target.endpoint})`
  const askResync = () =>
    confirm({
      title: t('Resync'),
      subject: name,
      action: t('Resync'),
      body: t(
        'Everything that the rules with this target include is sent again where the target does not have it, objects from before the rules included.',
      ),
      run: () =>
        change(
          'resyncReplication',
          { params: { bucket }, body: { arn: target.arn } },
          { message: () => t('Resync to {{name}} started', { name: target.bucket }) },
        ),
    })
  return (
    <Cell label={name} span={wide ? 3 : 1}>
      <CellValue>
        <StatusIcon state={online ? 'ok' : 'bad'}>{online ? t('Online') : t('Offline')}</StatusIcon>
      </CellValue>
      <div className={css.line}>
        {!online && lastOnline !== undefined && (
          <span>
            <Trans text="last reached <date/>" parts={{ date: <Time at={lastOnline} /> }} />
          </span>
        )}
        {pending && (
          <span>
            {t(plural('{{count}} waiting ({{size}})', '{{count}} waiting ({{size}})'), {
              count: pending.count,
              size: formatSize(pending.size),
            })}
          </span>
        )}
        {since !== undefined && (
          <span>
            <Trans text="the oldest since <date/>" parts={{ date: <Time at={since} exact /> }} />
          </span>
        )}
        {completed && (
          <span>
            {t(plural('{{count}} sent ({{size}})', '{{count}} sent ({{size}})'), {
              count: completed.count,
              size: formatSize(completed.size),
            })}
          </span>
        )}
        {failed && failed.count > 0 && (
          <StatusIcon state="warn">
            {t(plural('{{count}} failed', '{{count}} failed'), { count: failed.count })}
          </StatusIcon>
        )}
        <span>{target.sync_mode === 'sync' ? t('Synchronous') : t('Asynchronous')}</span>
        {current > 0 && <span>{t('now {{size}}/s', { size: formatSize(current) })}</span>}
        {bandwidth > 0 && <span>{t('at most {{size}}/s', { size: formatSize(bandwidth) })}</span>}
      </div>
      <div className={css.buttons}>
        <Disabled reason={needs('s3:ResetBucketReplicationState')}>
          <Button size="xs" onClick={askResync}>
            {t('Resync')}
          </Button>
        </Disabled>
        {failed && failed.count > 0 && (
          <Disabled reason={needs('admin:ReplicationDiff')}>
            <Button size="xs" onClick={() => setShowing(true)}>
              {t('Show Failures')}
            </Button>
          </Disabled>
        )}
      </div>
      {showing && (
        <ReplicationFailuresDialog bucket={bucket} arn={target.arn} name={name} onClose={() => setShowing(false)} />
      )}
    </Cell>
  )
}
