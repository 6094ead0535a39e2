import { ActionIcon, Menu } from '@mantine/core'
import { IconCloudOff, IconCloudUpload, IconDotsVertical, IconLink } from '@tabler/icons-react'
import { useT } from '../../../lib/text/i18n.ts'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'

/** The dialogs that are opened from a folder's menu. */
export type FolderDialog = 'links' | 'upload-link' | 'uploads'

const LinksModal = loadableDialog(async () => (await import('../links/LinksModal.tsx')).LinksModal)
const UploadLinkModal = loadableDialog(async () => (await import('../links/UploadLinkModal.tsx')).UploadLinkModal)
const UnfinishedUploadsModal = loadableDialog(
  async () => (await import('../uploads/UnfinishedUploadsModal.tsx')).UnfinishedUploadsModal,
)

interface FolderDialogsProps {
  bucket: string
  prefix: string
  open: FolderDialog | undefined
  onOpen: (dialog: FolderDialog | undefined) => void
}

/** Renders the open dialog. */
export function FolderDialogs({ bucket, prefix, open, onOpen }: FolderDialogsProps) {
  const onClose = () => onOpen(undefined)
  if (open === 'links')
    return <LinksModal bucket={bucket} prefix={prefix} onCreate={() => onOpen('upload-link')} onClose={onClose} />
  if (open === 'upload-link') return <UploadLinkModal bucket={bucket} prefix={prefix} onClose={onClose} />
  if (open === 'uploads') return <UnfinishedUploadsModal bucket={bucket} prefix={prefix} onClose={onClose} />
  return null
}

/** The menu items that open the dialogs. */
export function FolderDialogItems({ onOpen }: { onOpen: (dialog: FolderDialog) => void }) {
  const t = useT()
  return (
    <>
      <Menu.Item leftSection={<Icon of={IconLink} />} onClick={() => onOpen('links')}>
        {t('Links')}
      </Menu.Item>
      <Menu.Item leftSection={<Icon of={IconCloudUpload} />} onClick={() => onOpen('upload-link')}>
        {t('Create Upload Link')}
      </Menu.Item>
      <Menu.Item leftSection={<Icon of={IconCloudOff} />} onClick={() => onOpen('uploads')}>
        {t('Unfinished Uploads')}
      </Menu.Item>
    </>
  )
}

/** The menu of a folder's page on screens with room for the other buttons beside it. */
export function FolderDialogMenu({ onOpen }: { onOpen: (dialog: FolderDialog) => void }) {
  const t = useT()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={32} aria-label={t('More actions')}>
          <Icon of={IconDotsVertical} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <FolderDialogItems onOpen={onOpen} />
      </Menu.Dropdown>
    </Menu>
  )
}
