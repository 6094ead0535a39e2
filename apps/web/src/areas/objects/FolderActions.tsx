import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { IconDotsVertical, IconFolderPlus, IconRefresh } from '@tabler/icons-react'
import { useT } from '../../lib/text/i18n.ts'
import { Icon } from '../../ui/Icon.tsx'
import { whileBusy } from '../../ui/while-busy.tsx'

interface FolderActionsProps {
  onRefresh: () => void
  /** The folder is being read again. */
  busy: boolean
  onPath: () => void
}

/** What can be done with a folder besides uploading into it. */
export function FolderActions({ onRefresh, busy, onPath }: FolderActionsProps) {
  const t = useT()
  return (
    <>
      <Tooltip label={t('Refresh')}>
        <ActionIcon variant="default" size={32} aria-label={t('Refresh')} {...whileBusy(busy)} onClick={onRefresh}>
          <Icon of={IconRefresh} />
        </ActionIcon>
      </Tooltip>
      <Button leftSection={<Icon of={IconFolderPlus} />} onClick={onPath}>
        {t('New Folder Path')}
      </Button>
    </>
  )
}

/** The same behind one button, for a small screen. */
export function FolderMenu({ onRefresh, busy, onPath }: FolderActionsProps) {
  const t = useT()
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon size={44} aria-label={t('More actions')} {...whileBusy(busy)}>
          <Icon of={IconDotsVertical} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon of={IconRefresh} />} onClick={onRefresh}>
          {t('Refresh')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon of={IconFolderPlus} />} onClick={onPath}>
          {t('New Folder Path')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
