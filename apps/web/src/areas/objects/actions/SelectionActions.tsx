import { ActionIcon, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCopy, IconDownload, IconPencil, IconTrash } from '@tabler/icons-react'
import { formatSize, formatUnits } from '../../../lib/text/format.ts'
import { plural, t, useT } from '../../../lib/text/i18n.ts'
import { useSmallScreen } from '../../../lib/use-small-screen.ts'
import { downloadZip } from '../../../transfers/downloads.ts'
import { Disabled, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'
import { countFolderEntries, type FolderEntry } from '../entries/folder-entries.ts'
import { askDeleteEntries } from './ask-delete.tsx'
import { REWOUND_REASON } from './use-row-actions.ts'

interface SelectionActionsProps {
  bucket: string
  /** The prefix of the open folder. */
  prefix: string
  rows: FolderEntry[]
  versioned: boolean | undefined
  clear: () => void
  /** Whether the rows show a past time and cannot be changed. */
  rewound: boolean
}

/** The buttons for the selected rows; icons only on a small screen. */
export function SelectionActions({ bucket, prefix, rows, versioned, clear, rewound }: SelectionActionsProps) {
  const t = useT()
  const small = useSmallScreen()
  const needs = useDisabledReason({ bucket, prefix })
  const noDownload = (rewound && t('Rewound objects can be downloaded one by one.')) || needs('s3:GetObject')
  const noDelete = (rewound && t(REWOUND_REASON)) || needs('s3:DeleteObject')
  const keys = rows.map(({ key }) => key)
  const { folders, bytes } = countFolderEntries(rows)
  const download = () => void downloadZip(bucket, keys, `${bucket}.zip`, folders > 0 ? undefined : bytes)
  const remove = () => askDeleteEntries({ bucket, entries: rows, versioned, onDone: clear })
  const noCopy = (rewound && t(REWOUND_REASON)) || needs('s3:GetObject')
  const [copying, { open, close }] = useDisclosure(false)
  const noChange =
    (rewound && t(REWOUND_REASON)) ||
    (CHANGE_ACTIONS.every((action) => Boolean(needs(action))) && needs('s3:PutObject'))
  const [changing, changer] = useDisclosure(false)
  const dialog = (
    <>
      {copying && <CopyObjectsModal bucket={bucket} prefix={prefix} entries={rows} onClose={close} onStarted={clear} />}
      {changing && (
        <ChangeObjectsModal bucket={bucket} prefix={prefix} entries={rows} onClose={changer.close} onStarted={clear} />
      )}
    </>
  )
  if (small) {
    return (
      <>
        {dialog}
        <Disabled reason={noCopy}>
          <ActionIcon size={44} aria-label={t('Copy or move')} onClick={open}>
            <Icon of={IconCopy} />
          </ActionIcon>
        </Disabled>
        <Disabled reason={noChange}>
          <ActionIcon size={44} aria-label={t('Change Objects')} onClick={changer.open}>
            <Icon of={IconPencil} />
          </ActionIcon>
        </Disabled>
        <Disabled reason={noDownload}>
          <ActionIcon size={44} aria-label={t('Download')} onClick={download}>
            <Icon of={IconDownload} />
          </ActionIcon>
        </Disabled>
        <Disabled reason={noDelete}>
          <ActionIcon size={44} aria-label={t('Delete Selected')} onClick={remove}>
            <Icon of={IconTrash} />
          </ActionIcon>
        </Disabled>
      </>
    )
  }
  return (
    <>
      {dialog}
      <Disabled reason={noCopy}>
        <Button size="xs" leftSection={<Icon of={IconCopy} />} onClick={open}>
          {t('Copy or move')}
        </Button>
      </Disabled>
      <Disabled reason={noChange}>
        <Button size="xs" leftSection={<Icon of={IconPencil} />} onClick={changer.open}>
          {t('Change Objects')}
        </Button>
      </Disabled>
      <Disabled reason={noDownload}>
        <Button size="xs" leftSection={<Icon of={IconDownload} />} onClick={download}>
          {t('Download')}
        </Button>
      </Disabled>
      <Disabled reason={noDelete}>
        <Button size="xs" variant="danger" leftSection={<Icon of={IconTrash} />} onClick={remove}>
          {t('Delete Selected')}
        </Button>
      </Disabled>
    </>
  )
}

/** Actions each of which allows some change of an object. */
const CHANGE_ACTIONS = [
  's3:PutObject',
  's3:PutObjectTagging',
  's3:PutObjectRetention',
  's3:PutObjectLegalHold',
] as const

const ChangeObjectsModal = loadableDialog(
  async () => (await import('../jobs/ChangeObjectsModal.tsx')).ChangeObjectsModal,
)
const CopyObjectsModal = loadableDialog(async () => (await import('../jobs/CopyObjectsModal.tsx')).CopyObjectsModal)

/** A placeholder for 'Delete Selected' while no row is selected. */
export function NothingSelected({ bucket, prefix }: Pick<SelectionActionsProps, 'bucket' | 'prefix'>) {
  const t = useT()
  const needs = useDisabledReason({ bucket, prefix })
  return (
    <Disabled reason={needs('s3:DeleteObject') || t('Select rows first')}>
      <Button size="xs" leftSection={<Icon of={IconTrash} />}>
        {t('Delete Selected')}
      </Button>
    </Disabled>
  )
}

/** Returns the text beside the number of selected rows. */
export function selectedEntriesText(rows: FolderEntry[]): string {
  const { folders, objects, bytes } = countFolderEntries(rows)
  return formatUnits([
    ...(objects > 0 ? [formatSize(bytes)] : []),
    ...(folders > 0 ? [t(plural('{{count}} folder', '{{count}} folders'), { count: folders })] : []),
  ])
}
