import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { IconDotsVertical, IconFolderPlus, IconHistory, IconSearch, IconTrashX } from '@tabler/icons-react'
import { navigate, replaceSearch } from '../../../lib/navigation/navigate.ts'
import { pathTo, withSearch } from '../../../lib/navigation/pages.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Disabled } from '../../../ui/controls/Disabled.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import type { PastView } from '../entries/past-view.ts'
import { type FolderDialog, FolderDialogItems } from './FolderDialogs.tsx'

/** The button that opens the server-side search of the folder. */
export function SearchButton({ bucket, prefix }: { bucket: string; prefix: string }) {
  const t = useT()
  const label = t('Search the bucket')
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size={32} aria-label={label} onClick={() => navigate(pathToSearch(bucket, prefix))}>
        <Icon of={IconSearch} />
      </ActionIcon>
    </Tooltip>
  )
}

const pathToSearch = (bucket: string, prefix: string) =>
  withSearch(pathTo('/search-objects/$bucket', { bucket }), prefix === '' ? {} : { prefix })

/** The button that opens a path below this folder. */
export function NewPathButton({ onClick }: { onClick: () => void }) {
  const t = useT()
  return (
    <Button leftSection={<Icon of={IconFolderPlus} />} onClick={onClick}>
      {t('New Folder Path')}
    </Button>
  )
}

/** The same actions in a menu, for a small screen. */
export function FolderMenu({ bucket, prefix, onPath, past, versioned, onRewind, onDialog }: FolderMenuProps) {
  const t = useT()
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon size={44} aria-label={t('More actions')}>
          <Icon of={IconDotsVertical} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon of={IconFolderPlus} />} onClick={onPath}>
          {t('New Folder Path')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon of={IconSearch} />} onClick={() => navigate(pathToSearch(bucket, prefix))}>
          {t('Search the bucket')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon of={IconHistory} />} disabled={versioned !== true} onClick={onRewind}>
          {t('Rewind')}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon of={IconTrashX} />}
          disabled={versioned !== true || past.at !== undefined}
          onClick={() => toggleDeleted(past)}
        >
          {past.deleted ? t('Hide deleted objects') : t('Show deleted objects')}
        </Menu.Item>
        {past.at === undefined && <FolderDialogItems onOpen={onDialog} />}
      </Menu.Dropdown>
    </Menu>
  )
}

interface FolderMenuProps extends PastProps {
  bucket: string
  prefix: string
  onPath: () => void
  onDialog: (dialog: FolderDialog) => void
}

interface PastProps {
  past: PastView
  versioned: boolean | undefined
  onRewind: () => void
}

const toggleDeleted = ({ deleted }: PastView) => replaceSearch({ deleted: deleted ? undefined : 'yes' })

/** The buttons to show the bucket at a past time, or its deleted objects. Only for buckets with versioning. */
export function PastButtons({ past, versioned, onRewind }: PastProps) {
  const t = useT()
  const noVersions = versioned !== true && t('The bucket keeps no versions.')
  return (
    <>
      <Disabled reason={noVersions} label={t('Rewind')}>
        <ActionIcon
          variant="default"
          size={32}
          aria-label={t('Rewind')}
          aria-pressed={past.at !== undefined}
          onClick={onRewind}
        >
          <Icon of={IconHistory} />
        </ActionIcon>
      </Disabled>
      <Disabled
        reason={noVersions || (past.at !== undefined && t('Deleted objects are shown while the bucket is rewound.'))}
        label={past.deleted ? t('Hide deleted objects') : t('Show deleted objects')}
      >
        <ActionIcon
          variant="default"
          size={32}
          aria-label={t('Show deleted objects')}
          aria-pressed={past.deleted}
          onClick={() => toggleDeleted(past)}
        >
          <Icon of={IconTrashX} />
        </ActionIcon>
      </Disabled>
    </>
  )
}
