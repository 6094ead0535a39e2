import { cx } from '../../lib/cx.ts'
import { useAdminInfo } from '../../lib/data/admin-info.ts'
import { formatCount, formatSize } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Counted } from '../../ui/Counted.tsx'
import { AccessMark, Mark } from '../../ui/Mark.tsx'
import { Rich } from '../../ui/Rich.tsx'
import type { Totals } from './bucket-facts.ts'
import css from './buckets.module.css'

interface BucketsFactsProps {
  totals: Totals
  show: string | undefined
  onShow: (show: string | undefined) => void
}

/** The list in one line; what needs somebody's attention is a filter. */
export function BucketsFacts({ totals, show, onShow }: BucketsFactsProps) {
  const t = useT()
  const info = useAdminInfo()
  const filter = (name: string) => ({
    type: 'button' as const,
    className: cx(css.fact),
    'aria-pressed': show === name,
    onClick: () => onShow(show === name ? undefined : name),
  })
  return (
    <>
      <span>
        <Rich text="{{n}} buckets" count={totals.buckets} parts={{ n: <b>{formatCount(totals.buckets)}</b> }} />
      </span>
      {totals.buckets > 0 && (
        <span className={css.hideSmall}>
          <Rich text="{{n}} objects" count={totals.objects} parts={{ n: <b>{formatCount(totals.objects)}</b> }} />
        </span>
      )}
      <span>
        {info?.usableCapacity ? (
          <Rich
            text="{{used}} of {{size}} usable"
            parts={{ used: <b>{formatSize(totals.bytes)}</b>, size: formatSize(info.usableCapacity) }}
          />
        ) : (
          <Rich text="{{used}} used" parts={{ used: <b>{formatSize(totals.bytes)}</b> }} />
        )}
      </span>
      {totals.open > 0 && (
        <button {...filter('public')}>
          <AccessMark open>{t('{{n}} public', { n: formatCount(totals.open) })}</AccessMark>
        </button>
      )}
      {totals.near > 0 && (
        <button {...filter('near')}>
          <Mark state="warn">{t('{{n}} near their quota', { n: formatCount(totals.near), count: totals.near })}</Mark>
        </button>
      )}
      <Counted at={info?.countedAt} className={css.hideSmall} />
    </>
  )
}
