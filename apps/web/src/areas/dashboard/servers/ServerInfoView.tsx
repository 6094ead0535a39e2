import type { AdminInfo } from '@stowage/contract'
import { formatCount, formatSize, formatSizeParts } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { Cell, CellNote, Cells } from '../../../ui/page/Cell.tsx'
import { BigFigure } from '../../../ui/values/Size.tsx'
import { Age } from '../../../ui/values/Time.tsx'
import css from '../dashboard.module.css'
import { DrivesStatus } from './DrivesStatus.tsx'
import { ServersStatus } from './ServersStatus.tsx'
import { sortServers } from './server-health.ts'

/** Usage, servers and drives, from the storage server's information call. */
export function ServerInfoView({ info }: { info: AdminInfo }) {
  const t = useT()
  const servers = sortServers(info.servers)
  const usage = formatSizeParts(info.usage)
  const counted = info.countedAt !== null
  return (
    <>
      <Cells>
        <Cell label={t('Number of Buckets')}>
          <UsageFigure counted={counted} value={formatCount(info.buckets)} />
        </Cell>
        <Cell label={t('Usage')}>
          <UsageFigure counted={counted} value={usage.value} unit={usage.unit} />
          {info.usableCapacity !== undefined && info.usableCapacity > 0 && (
            <CellNote>{t('of {{size}} usable', { size: formatSize(info.usableCapacity) })}</CellNote>
          )}
        </Cell>
        <Cell label={t('Total Objects')}>
          <UsageFigure counted={counted} value={formatCount(info.objects)} />
        </Cell>
      </Cells>
      <CountNote at={info.countedAt} />
      <ServersStatus servers={servers} />
      <DrivesStatus servers={servers} />
    </>
  )
}

/** A server reports zeros until its first count, which would look like an empty store. */
function UsageFigure({ counted, ...figure }: { counted: boolean; value: string; unit?: string }) {
  return counted ? <BigFigure {...figure} /> : <BigFigure value="–" />
}

/** Explains why recent uploads may be missing from the figures. */
function CountNote({ at }: { at: string | null | undefined }) {
  const t = useT()
  if (at === undefined) return null
  return (
    <p className={css.note}>
      {at === null ? (
        t('Not counted yet. The server counts in the background. Figures appear after its first scan.')
      ) : (
        <Trans
          text="Counted <age/>. The server counts in the background: later changes are not included yet."
          parts={{ age: <Age at={at} /> }}
        />
      )}
    </p>
  )
}
