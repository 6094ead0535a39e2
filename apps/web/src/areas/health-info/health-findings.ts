import type { HealthReport } from '@stowage/contract'
import { formatPercent } from '../../lib/text/format.ts'
import { t } from '../../lib/text/i18n.ts'
import type { StatusIconState } from '../../ui/icons/StatusIcon.tsx'

export interface HealthFinding {
  state: StatusIconState
  what: string
  /** The recommended action. */
  todo: string
}

/** A share of free memory or drive space below this is reported. */
const LOW_SHARE = 0.1

type Json = Readonly<Record<string, unknown>>
const asObject = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {})
const asObjects = (value: unknown): Json[] => (Array.isArray(value) ? value.map(asObject) : [])
const asNumber = (value: unknown) => (typeof value === 'number' ? value : 0)
const asText = (value: unknown) => (typeof value === 'string' ? value : '')

/** Returns the findings of a report. The content varies between server families; missing parts are skipped. */
export function reportFindings({ sys = {}, minio = {}, error }: HealthReport): HealthFinding[] {
  const info = asObject(minio.info)
  const servers = asObjects(info.servers)
  const found: HealthFinding[] = []
  if (error) found.push({ state: 'warn', what: t('The report is not complete.'), todo: error })
  for (const server of servers) {
    const name = asText(server.endpoint)
    if (asText(server.state) !== 'online')
      found.push({
        state: 'bad',
        what: t('The server {{name}} is {{state}}.', { name, state: asText(server.state) }),
        todo: t('Check that the machine runs and that the other servers reach it.'),
      })
    for (const drive of asObjects(server.drives)) found.push(...driveFindings(drive))
  }
  const versions = new Set(servers.map((server) => asText(server.version)).filter((version) => version !== ''))
  if (versions.size > 1)
    found.push({
      state: 'warn',
      what: t('The servers run different versions: {{versions}}.', { versions: [...versions].join(', ') }),
      todo: t('Update all servers to one version.'),
    })
  for (const memory of asObjects(sys.meminfo)) {
    const [total, available] = [asNumber(memory.total), asNumber(memory.available)]
    if (total > 0 && available / total < LOW_SHARE)
      found.push({
        state: 'warn',
        what: t('{{share}} of the memory is available on {{name}}.', {
          share: formatPercent(available / total),
          name: asText(memory.addr),
        }),
        todo: t('Add memory, or move other programs away.'),
      })
  }
  return found
}

function driveFindings(drive: Json): HealthFinding[] {
  const name = asText(drive.path) || asText(drive.endpoint)
  const state = asText(drive.state)
  const [total, free] = [asNumber(drive.totalspace), asNumber(drive.availspace)]
  if (state !== 'ok')
    return [
      {
        state: 'bad',
        what: t('The drive {{name}} is {{state}}.', { name, state }),
        todo: t('Replace the drive or bring it back. What was on it is healed from the others.'),
      },
    ]
  if (drive.healing === true)
    return [
      {
        state: 'warn',
        what: t('The drive {{name}} is being healed.', { name }),
        todo: t('Wait until it has ended before you take another drive out.'),
      },
    ]
  if (total > 0 && free / total < LOW_SHARE)
    return [
      {
        state: 'warn',
        what: t('{{share}} of the drive {{name}} is free.', { share: formatPercent(free / total), name }),
        todo: t('Add capacity, or delete what is no longer needed.'),
      },
    ]
  return []
}
