import type { HealMessage } from '@stowage/contract'
import { formatCount, formatSizeParts } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'
import { BigFigure } from '../../ui/values/Size.tsx'
import css from './heal.module.css'

/** The progress of a heal. */
export function HealProgress({ message }: { message: HealMessage }) {
  const t = useT()
  const { bytesScanned, objectsHealed, objectsScanned, healDuration, itemsScanned, healthAfterCols } = message
  const notGreen = itemsScanned - (healthAfterCols.Green ?? 0)
  return (
    <dl className={css.sums}>
      <div>
        <dt>{t('Size scanned')}</dt>
        <dd>
          <BigFigure {...formatSizeParts(bytesScanned)} />
        </dd>
      </div>
      <div>
        <dt>{t('Objects healed / scanned')}</dt>
        <dd>
          <BigFigure value={formatCount(objectsHealed)} unit={` / ${formatCount(objectsScanned)}`} />
        </dd>
      </div>
      <div>
        <dt>{t('Healing time')}</dt>
        <dd>
          <BigFigure value={formatCount(healDuration)} unit=" s" />
        </dd>
      </div>
      <div>
        <dt>{t('Not green')}</dt>
        <dd>
          <BigFigure value={formatCount(notGreen)} />
        </dd>
      </div>
    </dl>
  )
}
