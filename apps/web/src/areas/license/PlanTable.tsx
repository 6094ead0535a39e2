import { Button } from '@mantine/core'
import { cx } from '../../lib/cx.ts'
import { useSession } from '../../lib/session/session.ts'
import { useT } from '../../lib/text/i18n.ts'
import { StatusIcon } from '../../ui/icons/StatusIcon.tsx'
import css from './license.module.css'
import { type LicensePlanName, licensePlans, planFeatures, subscribeAddress } from './license-plans.ts'

/** A comparison of the vendor's plans. @param current the plan of this server, if known */
export function PlanTable({ current }: { current: LicensePlanName | undefined }) {
  const t = useT()
  const { operator } = useSession()
  return (
    <div className={css.scroll}>
      <table className={css.plans} aria-label={t('Plans')}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t('Feature')}</span>
            </th>
            {licensePlans.map(({ name, label, price }) => (
              <th
                key={name}
                scope="col"
                className={cx(name === current && css.current)}
                aria-current={name === current}
              >
                <div>{t(label)}</div>
                <div className="ink-2">{t(price)}</div>
                {name === current && <StatusIcon state="ok">{t('Current plan')}</StatusIcon>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {planFeatures.map(({ label, values }) => (
            <tr key={label}>
              <th scope="row">{t(label)}</th>
              {values.map((value, i) => (
                <td key={licensePlans[i]?.name} className={cx(licensePlans[i]?.name === current && css.current)}>
                  {value === undefined ? <span className="ink-3">–</span> : value === true ? t('Yes') : t(value)}
                </td>
              ))}
            </tr>
          ))}
          <tr>
            <td />
            {licensePlans.map(({ name }) => (
              <td key={name} className={cx(name === current && css.current)}>
                {name !== 'COMMUNITY' && (
                  <Button
                    component="a"
                    size="xs"
                    href={subscribeAddress(operator)}
                    target="_blank"
                    rel="noopener noreferrer"
                    data-disabled={name === current}
                    aria-disabled={name === current}
                    onClick={(event) => name === current && event.preventDefault()}
                  >
                    {current === 'STANDARD' && name === 'ENTERPRISE' ? t('Upgrade') : t('Subscribe')}
                  </Button>
                )}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  )
}
