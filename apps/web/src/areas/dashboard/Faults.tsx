import { formatCount } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Rich } from '../../ui/Rich.tsx'
import css from './dashboard.module.css'
import { faultsOf, type Server } from './health.ts'

/** So many are named; of the rest the number. */
const NAMED = 4

/** What needs an administrator, in words above everything else. */
export function Faults({ servers }: { servers: Server[] }) {
  const faults = faultsOf(servers)
  const drives = servers.reduce((sum, server) => sum + server.drives.length, 0)
  return (
    <>
      {faults.servers.length > 0 && (
        <Fault text="{{n}} of {{total}} servers are offline: {{names}}" names={faults.servers} total={servers.length} />
      )}
      {faults.drives.length > 0 && (
        <Fault text="{{n}} of {{total}} drives are out of service: {{names}}" names={faults.drives} total={drives} />
      )}
    </>
  )
}

function Fault({ text, names, total }: { text: string; names: string[]; total: number }) {
  const t = useT()
  const rest = names.length - NAMED
  return (
    <Banner kind="warn" edge>
      <Rich
        text={text}
        count={names.length}
        parts={{
          n: formatCount(names.length),
          total: formatCount(total),
          names: (
            <>
              {names.slice(0, NAMED).map((name, i) => (
                <span key={name}>
                  {i > 0 && ', '}
                  <code className={css.name}>{name}</code>
                </span>
              ))}
              {rest > 0 && ` ${t('and {{n}} more', { n: formatCount(rest) })}`}
            </>
          ),
        }}
      />
    </Banner>
  )
}
