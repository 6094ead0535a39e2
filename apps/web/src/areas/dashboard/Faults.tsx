import { plural, useT } from '../../lib/text/i18n.ts'
import { Trans } from '../../lib/text/Trans.tsx'
import { Banner } from '../../ui/Banner.tsx'
import css from './dashboard.module.css'
import { faultsOf, type Server } from './health.ts'

/** The number of names that are listed; the rest are counted. */
const MAX_NAMES = 4

/** The offline servers and drives, at the top of the page. */
export function Faults({ servers }: { servers: Server[] }) {
  const faults = faultsOf(servers)
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
            parts={{ names: <Names names={faults.servers} /> }}
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
            parts={{ names: <Names names={faults.drives} /> }}
          />
        </Banner>
      )}
    </>
  )
}

function Names({ names }: { names: string[] }) {
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
