import { ActionIcon, Menu } from '@mantine/core'
import {
  IconBan,
  IconCloud,
  IconDotsVertical,
  IconDownload,
  IconEraser,
  IconEye,
  IconFileText,
  IconPencil,
  IconPhoto,
  IconShare,
  IconSquareCheck,
  IconTerminal2,
  IconTrash,
} from '@tabler/icons-react'
import { cx } from '../../lib/cx.ts'
import { navigate } from '../../lib/navigation/navigate.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Disabled, isReason } from '../controls/Disabled.tsx'
import { Link } from '../controls/Link.tsx'
import { whileBusy } from '../controls/while-busy.tsx'
import { Icon } from '../icons/Icon.tsx'
import { useRowTabStop } from '../keyboard/row-tab-stop.ts'
import css from './table.module.css'
import type { RowAction } from './types.ts'

const icons = {
  view: IconEye,
  edit: IconPencil,
  delete: IconTrash,
  description: IconFileText,
  share: IconShare,
  cloud: IconCloud,
  console: IconTerminal2,
  download: IconDownload,
  disable: IconBan,
  format: IconEraser,
  preview: IconPhoto,
}

interface RowActionsProps<Row> {
  row: Row
  name: string
  actions: RowAction<Row>[]
}

/** The actions of a row, visible on hover, on focus and while the row's details are open. */
export function RowActions<Row>({ row, name, actions }: RowActionsProps<Row>) {
  const t = useT()
  const tabIndex = useRowTabStop()
  return actions
    .filter((action) => !action.hidden?.(row))
    .map((action) => {
      const label = t('{{action}} {{name}}', { action: t(action.label), name })
      const shared = {
        'aria-label': label,
        className: cx(css.action, action.type === 'delete' && css.danger),
        tabIndex,
      }
      const icon = <Icon of={action.icon ?? icons[action.type]} />
      return (
        <Disabled key={action.label} reason={action.disabled?.(row)} label={t(action.label)}>
          {action.to ? (
            <ActionIcon {...shared} component={Link} to={action.to(row)}>
              {icon}
            </ActionIcon>
          ) : (
            <ActionIcon {...shared} {...whileBusy(action.busy?.(row) ?? false)} onClick={() => action.onClick?.(row)}>
              {icon}
            </ActionIcon>
          )}
        </Disabled>
      )
    })
}

/** The same actions in a menu, for touch screens. */
export function RowMenu<Row>({
  row,
  name,
  actions,
  onSelect,
}: RowActionsProps<Row> & { onSelect?: (() => void) | undefined }) {
  const t = useT()
  const tabIndex = useRowTabStop()
  const shown = actions.filter((action) => !action.hidden?.(row))
  if (shown.length === 0 && !onSelect) return null
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon size={44} tabIndex={tabIndex} aria-label={t('Actions of {{name}}', { name })}>
          <Icon of={IconDotsVertical} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {shown.map((action) => {
          const reason = action.disabled?.(row)
          const off = isReason(reason)
          return (
            <Menu.Item
              key={action.label}
              leftSection={<Icon of={action.icon ?? icons[action.type]} />}
              // Not `disabled`: the arrow keys would skip the item, and its reason could not be read.
              aria-disabled={off}
              closeMenuOnClick={!off}
              onClick={() => !off && (action.to ? navigate(action.to(row)) : action.onClick?.(row))}
            >
              {t(action.label)}
              {off && <div className="small ink-3">{reason}</div>}
            </Menu.Item>
          )
        })}
        {onSelect && (
          <Menu.Item leftSection={<Icon of={IconSquareCheck} />} onClick={onSelect}>
            {t('Select')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
