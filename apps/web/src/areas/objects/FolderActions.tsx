import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconDotsVertical, IconFolderPlus, IconRefresh } from '@tabler/icons-react'
import { useT } from '../../lib/i18n.ts'
import { Icon } from '../../ui/Icon.tsx'
import { UploadButton } from './UploadButton.tsx'

interface FolderActionsProps {
  bucket: string
  prefix: string
  onRefresh: () => void
  onPath: () => void
}

/** What can be done with a folder; on a small screen all but Upload behind one button. */
export function FolderActions({ bucket, prefix, onRefresh, onPath }: FolderActionsProps) {
  const t = useT()
  const small = useMediaQuery('(max-width: 640px)', undefined, { getInitialValueInEffect: false })
  if (small) {
    return (
      <>
        <UploadButton bucket={bucket} prefix={prefix} />
        <Menu>
          <Menu.Target>
            <ActionIcon size={40} aria-label={t('More actions')}>
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
      </>
    )
  }
  return (
    <>
      <Tooltip label={t('Refresh')}>
        <ActionIcon variant="default" size={32} aria-label={t('Refresh')} onClick={onRefresh}>
          <Icon of={IconRefresh} />
        </ActionIcon>
      </Tooltip>
      <Button leftSection={<Icon of={IconFolderPlus} />} onClick={onPath}>
        {t('New Folder Path')}
      </Button>
      <UploadButton bucket={bucket} prefix={prefix} />
    </>
  )
}
