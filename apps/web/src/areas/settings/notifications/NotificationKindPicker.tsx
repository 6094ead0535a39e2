import {
  IconBolt,
  IconBrandElastic,
  IconBrandMysql,
  IconDatabase,
  IconMessage,
  IconSend,
  IconServer,
  IconStack,
} from '@tabler/icons-react'
import { navigate } from '../../../lib/navigation/navigate.ts'
import { type PageTarget, withSearch } from '../../../lib/navigation/pages.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Link } from '../../../ui/controls/Link.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { NOTIFICATION_TITLES, notificationTitle } from '../form/setting-labels.ts'
import css from '../settings.module.css'

/** Webhook and NSQ have no logo. */
const LOGOS: Readonly<Record<string, typeof IconBolt>> = {
  notify_postgres: IconDatabase,
  notify_kafka: IconStack,
  notify_amqp: IconMessage,
  notify_mqtt: IconSend,
  notify_redis: IconServer,
  notify_nats: IconBolt,
  notify_mysql: IconBrandMysql,
  notify_elasticsearch: IconBrandElastic,
}

/** The list of kinds of notification targets, which link to their forms. */
export function NotificationKindPicker({ list }: { list: PageTarget }) {
  const t = useT()
  return (
    <div className={css.panel}>
      <Link to={list} className="link">
        {t('Back To Lambda Notifications')}
      </Link>
      <h2>{t('Pick a supported service')}</h2>
      <div className={css.kinds}>
        {Object.keys(NOTIFICATION_TITLES).map((subsystem) => {
          const logo = LOGOS[subsystem]
          return (
            <button
              key={subsystem}
              type="button"
              className={css.kind}
              onClick={() => navigate(withSearch(list, { service: subsystem }))}
            >
              {logo && <Icon of={logo} size={22} />}
              {notificationTitle(subsystem)}
            </button>
          )
        })}
      </div>
    </div>
  )
}
