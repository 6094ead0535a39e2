import { useAdminInfo } from '../../../lib/data/admin-info.ts'
import { formatSize } from '../../../lib/text/format.ts'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { AccessIcon, StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import { FactFilter } from '../../../ui/table/FactFilter.tsx'
import { CountedAge } from '../../../ui/values/CountedAge.tsx'
import type { BucketTotals } from '../bucket/bucket-facts.ts'
import css from '../styles/buckets.module.css'

interface BucketsFactsProps {
  totals: BucketTotals
  show: string | undefined
  onShow: (show: string | undefined) => void
}

/** A summary of all buckets on one line. Counts that need attention are links that filter the list. */
export function BucketsFacts({ totals, show, onShow }: BucketsFactsProps) {
  const t = useT()
  const info = useAdminInfo()
  return (
    <>
      <span>
        <Trans
          text={plural('<b>{{count}}</b> bucket', '<b>{{count}}</b> buckets')}
          values={{ count: totals.buckets }}
          parts={{ b: <b /> }}
        />
      </span>
      {totals.buckets > 0 && (
        <span className={css.hideSmall}>
          <Trans
            text={plural('<b>{{count}}</b> object', '<b>{{count}}</b> objects')}
            values={{ count: totals.objects }}
            parts={{ b: <b /> }}
          />
        </span>
      )}
      <span>
        {info?.usableCapacity ? (
          <Trans
            text="<b>{{used}}</b> of {{size}} usable"
            values={{ used: formatSize(totals.bytes), size: formatSize(info.usableCapacity) }}
            parts={{ b: <b /> }}
          />
        ) : (
          <Trans text="<b>{{size}}</b> used" values={{ size: formatSize(totals.bytes) }} parts={{ b: <b /> }} />
        )}
      </span>
      {totals.open > 0 && (
        <FactFilter name="public" show={show} onShow={onShow}>
          <AccessIcon open>{t(plural('{{count}} public', '{{count}} public'), { count: totals.open })}</AccessIcon>
        </FactFilter>
      )}
      {totals.near > 0 && (
        <FactFilter name="near" show={show} onShow={onShow}>
          <StatusIcon state="warn">
            {t(plural('{{count}} near its quota', '{{count}} near their quota'), { count: totals.near })}
          </StatusIcon>
        </FactFilter>
      )}
      <CountedAge at={info?.countedAt} className={css.hideSmall} />
    </>
  )
}
