import { Button } from '@mantine/core'
import { pathTo } from '../../../lib/navigation/pages.ts'
import { useSession } from '../../../lib/session/session.ts'
import { plural, useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { Link } from '../../../ui/controls/Link.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import css from '../dashboard.module.css'
import { type DashboardServer, findFaults, weakestErasureSet } from './server-health.ts'

/** The number of names that are listed; the rest are counted. */
const MAX_NAMES = 4

/** The offline servers and drives, and how many more drives may fail, at the top of the page. */
export function FaultsBanner({ servers, mayFail }: { servers: DashboardServer[]; mayFail: number | undefined }) {
  const t = useT()
  const { distributedMode } = useSession()
  const faults = findFaults(servers)
  const weak = mayFail === undefined ? undefined : weakestErasureSet(servers, mayFail)
  const drives = servers.reduce((sum, server) => sum + server.drives.length, 0)
  return (
    <>
      {faults.servers.length > 0 && (
        <Banner kind="warn" edge>
          <Trans
            text={plural(
              '{{count}} of {{total}} servers is offline: <names/>',
              '{{count}} of {{total}} servers are offline: <names/>',
            )}
            values={{ count: faults.servers.length, total: servers.length }}
            parts={{ names: <FaultNames names={faults.servers} /> }}
          />
        </Banner>
      )}
      {faults.drives.length > 0 && (
        <Banner kind="warn" edge>
          <Trans
            text={plural(
              '{{count}} of {{total}} drives is out of service: <names/>',
              '{{count}} of {{total}} drives are out of service: <names/>',
            )}
            values={{ count: faults.drives.length, total: drives }}
            parts={{ names: <FaultNames names={faults.drives} /> }}
          />
        </Banner>
      )}
      {weak && (
        <Banner
          kind={weak.more > 0 ? 'info' : 'warn'}
          edge
          action={
            distributedMode && (
              <Button component={Link} to={pathTo('/heal')}>
                {t('Open Heal')}
              </Button>
            )
          }
        >
          {weak.more > 0
            ? t(
                plural(
                  '{{count}} more drive of its set may fail without loss of data.',
                  '{{count}} more drives of its set may fail without loss of data.',
                ),
                { count: weak.more },
              )
            : t('No more drives of its set may fail, or data is lost.')}
        </Banner>
      )}
    </>
  )
}

function FaultNames({ names }: { names: string[] }) {
  const t = useT()
  const rest = names.length - MAX_NAMES
  return (
    <>
      {names.slice(0, MAX_NAMES).map((name, i) => (
        <span key={name}>
          {i > 0 && ', '}
          <code className={css.name}>{name}</code>
        </span>
      ))}
      {rest > 0 && ` ${t(plural('and {{count}} more', 'and {{count}} more'), { count: rest })}`}
    </>
  )
}
