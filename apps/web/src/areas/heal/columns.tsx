import type { HealedItem } from '@stowage/contract'
import { type Message, msg, plural, t } from '../../lib/text/i18n.ts'
import { StatusIcon, type StatusIconState } from '../../ui/icons/StatusIcon.tsx'
import type { Column } from '../../ui/table/DataTable.tsx'
import { ObjectName } from '../../ui/values/ObjectName.tsx'
import { Size } from '../../ui/values/Size.tsx'
import type { HealRow } from './heal-form-values.ts'

type Health = HealedItem['before']

const colours: Record<Health['color'], { label: Message; mark: StatusIconState }> = {
  green: { label: msg('Green'), mark: 'ok' },
  yellow: { label: msg('Yellow'), mark: 'warn' },
  red: { label: msg('Red'), mark: 'bad' },
  grey: { label: msg('Grey'), mark: 'unknown' },
}

const types: Record<HealedItem['type'], Message> = {
  bucket: msg('Bucket'),
  object: msg('Object'),
  system: msg('System'),
}

/** Formats `1 of 2 drives`. */
const drivesText = ({ online, drives }: Health) =>
  t(plural('{{online}} of {{count}} drive', '{{online}} of {{count}} drives'), { online, count: drives.length })

/** Describes what is or was wrong with an item. */
export function healReasonText({ error, before, after }: HealedItem): string {
  if (error !== undefined) return error
  if (after.color === 'green') return t('Healed')
  if (after.online === 0 && after.drives.length > 0) return t('No intact copy is left. Nothing was removed.')
  const { missing, corrupted, offline } = after.online > before.online ? after : before
  return [
    missing > 0 && t(plural('{{count}} copy is missing', '{{count}} copies are missing'), { count: missing }),
    corrupted > 0 && t(plural('{{count}} copy is damaged', '{{count}} copies are damaged'), { count: corrupted }),
    offline > 0 && t(plural('{{count}} drive is offline', '{{count}} drives are offline'), { count: offline }),
  ]
    .filter((text) => text !== false)
    .join(', ')
}

export const healColumns: Column<HealRow>[] = [
  {
    key: 'health',
    label: msg('Health'),
    width: 100,
    small: 'aside',
    cell: ({ after }) => <StatusIcon state={colours[after.color].mark}>{t(colours[after.color].label)}</StatusIcon>,
  },
  { key: 'type', label: msg('Type'), width: 84, small: 'note', cell: ({ type }) => t(types[type]) },
  {
    key: 'item',
    label: msg('Item'),
    small: 'title',
    cell: ({ name }) => (
      <span className="mono truncate" title={name}>
        <ObjectName name={name} />
      </span>
    ),
  },
  { key: 'before', label: msg('Before'), width: 116, small: 'extra', cell: ({ before }) => drivesText(before) },
  { key: 'after', label: msg('After'), width: 116, small: 'extra', cell: ({ after }) => drivesText(after) },
  {
    key: 'size',
    label: msg('Size'),
    width: 96,
    align: 'right',
    small: 'note',
    cell: ({ type, size }) => type === 'object' && <Size bytes={size} />,
  },
  {
    key: 'why',
    label: msg('Why'),
    width: 244,
    small: 'extra',
    cell: (row) => (
      <span className="truncate" title={healReasonText(row)}>
        {healReasonText(row)}
      </span>
    ),
  },
]
