import { formatCount, formatList, formatSize } from '../../../../lib/text/format.ts'
import { plural, useT } from '../../../../lib/text/i18n.ts'
import { Banner } from '../../../../ui/feedback/Banner.tsx'
import css from './server-spread.module.css'
import { type ServerSpread, serverVolumes } from './server-spread.ts'

/** Maximum number of nodes and of volumes of a node that are shown one by one. */
const MAX_NODES = 12
const MAX_VOLUMES = 16

interface ServerSpreadTableProps {
  spread: ServerSpread
  servers: number
  /** The number of drives of each server. */
  drives: number
}

/** The nodes on which the servers of a new tenant could run, and a warning if there are not enough. */
export function ServerSpreadTable({ spread, servers, drives }: ServerSpreadTableProps) {
  const t = useT()
  const { placed, open, closed, unplaced, isOnePerNode, memory } = spread
  const title = t('Spread over Nodes')
  const values = { count: servers, nodes: formatCount(placed.length), open: formatCount(open.length) }
  const more = placed.length - MAX_NODES
  return (
    <section aria-label={title} className={css.spread}>
      <h3>{title}</h3>
      {unplaced > 0 ? (
        <Banner kind="warn">
          {isOnePerNode
            ? t(
                plural(
                  'There is no node for {{count}} of {{servers}} servers: each needs a node of its own with {{memory}} of free memory. The pods without a node stay Pending.',
                  'There is no node for {{count}} of {{servers}} servers: each needs a node of its own with {{memory}} of free memory. The pods without a node stay Pending.',
                ),
                { count: unplaced, servers: formatCount(servers), memory: formatSize(memory) },
              )
            : t(
                plural(
                  'There is no node for {{count}} of {{servers}} servers: each needs {{memory}} of free memory. The pods without a node stay Pending.',
                  'There is no node for {{count}} of {{servers}} servers: each needs {{memory}} of free memory. The pods without a node stay Pending.',
                ),
                { count: unplaced, servers: formatCount(servers), memory: formatSize(memory) },
              )}
        </Banner>
      ) : (
        <p>
          {isOnePerNode
            ? t(
                plural(
                  '{{count}} server on {{nodes}} of {{open}} nodes, one on each.',
                  '{{count}} servers on {{nodes}} of {{open}} nodes, one on each.',
                ),
                values,
              )
            : t(
                plural(
                  '{{count}} server on {{nodes}} of {{open}} nodes. A node may run several servers, which fail with it.',
                  '{{count}} servers on {{nodes}} of {{open}} nodes. A node may run several servers, which fail with it.',
                ),
                values,
              )}
        </p>
      )}
      {placed.length > 0 && (
        <table className={css.nodes}>
          <thead>
            <tr>
              <th>{t('Node')}</th>
              <th>{t('Volumes, as Set and Place')}</th>
              <th>{t('Memory Left')}</th>
            </tr>
          </thead>
          <tbody>
            {placed.slice(0, MAX_NODES).map(({ node, servers: own }) => {
              const volumes = own.flatMap((server) => serverVolumes(server, servers, drives))
              return (
                <tr key={node.name}>
                  <th scope="row">
                    <code>{node.name}</code>
                  </th>
                  <td>
                    <span className={css.volumes}>
                      {volumes.slice(0, MAX_VOLUMES).map((volume) => (
                        <code key={volume}>{volume}</code>
                      ))}
                      {volumes.length > MAX_VOLUMES && (
                        <span className="ink-3">
                          {t(plural('and {{count}} more', 'and {{count}} more'), {
                            count: volumes.length - MAX_VOLUMES,
                          })}
                        </span>
                      )}
                    </span>
                  </td>
                  <td>{node.memory_left === null ? '–' : formatSize(node.memory_left)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      {more > 0 && (
        <p className="ink-3">{t(plural('and {{count}} more node', 'and {{count}} more nodes'), { count: more })}</p>
      )}
      {closed.length > 0 && (
        <p className="ink-3">
          {t('These nodes take no pods: {{nodes}}.', {
            nodes: formatList(closed.slice(0, MAX_NODES).map((node) => `${node.name} (${node.closed})`)),
          })}
        </p>
      )}
      {placed.length > 0 && (
        <p className="ink-3">
          {t('This is one way to place them. The scheduler of the cluster may choose other nodes.')}
        </p>
      )}
    </section>
  )
}
