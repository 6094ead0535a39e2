import type { AdminInfo } from '@stowage/contract'
import { formatCount, formatSize, formatSizeParts } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Cell, CellNote, Cells } from '../../ui/Cell.tsx'
import { BigQuantity } from '../../ui/Quantity.tsx'
import { Rich } from '../../ui/Rich.tsx'
import { Age } from '../../ui/Time.tsx'
import { DrivesStatus } from './DrivesStatus.tsx'
import css from './dashboard.module.css'
import { Faults } from './Faults.tsx'
import { inOrder } from './health.ts'
import { ServersStatus } from './ServersStatus.tsx'

/** What the storage server tells about itself: usage, servers, drives. */
export function UsageView({ info }: { info: AdminInfo }) {
  const t = useT()
  const servers = inOrder(info.servers)
  const usage = formatSizeParts(info.usage)
  const counted = info.countedAt !== null
  return (
    <>
      <Faults servers={servers} />
      <Cells>
        <Cell label={t('Number of Buckets')}>
          <Figure counted={counted} value={formatCount(info.buckets)} />
        </Cell>
        <Cell label={t('Usage')}>
          <Figure counted={counted} value={usage.value} unit={usage.unit} />
          {info.usableCapacity !== undefined && info.usableCapacity > 0 && (
            <CellNote>{t('of {{size}} usable', { size: formatSize(info.usableCapacity) })}</CellNote>
          )}
        </Cell>
        <Cell label={t('Total Objects')}>
          <Figure counted={counted} value={formatCount(info.objects)} />
        </Cell>
      </Cells>
      <CountNote at={info.countedAt} />
      <ServersStatus servers={servers} />
      <DrivesStatus servers={servers} />
    </>
  )
}

/** Before its first count a server tells zeros, which would be read as an empty store. */
function Figure({ counted, ...figure }: { counted: boolean; value: string; unit?: string }) {
  return counted ? <BigQuantity {...figure} /> : <BigQuantity value="–" />
}

/** Why what was just uploaded may not be in the figures. */
function CountNote({ at }: { at: string | null | undefined }) {
  if (at === undefined) return null
  return (
    <p className={css.note}>
      {at === null ? (
        <Rich
          text="Not counted yet: this server counts what it stores in the background, and the figures appear after its first round."
          parts={{}}
        />
      ) : (
        <Rich
          text="Counted {{age}}. This server counts in the background: what was written or deleted since then is not in the figures yet."
          parts={{ age: <Age at={at} /> }}
        />
      )}
    </p>
  )
}
