import { Button, Menu } from '@mantine/core'
import { IconFolderUp, IconUpload } from '@tabler/icons-react'
import { type ChangeEvent, useRef } from 'react'
import { useT } from '../../../lib/text/i18n.ts'
import { uploadFiles } from '../../../transfers/upload-files.ts'
import { filesFromInput } from '../../../transfers/uploads/collect-files.ts'
import { Disabled, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'

/** Supported by all browsers but missing in React's types. */
const wholeFolders = { webkitdirectory: '' }

/** The button to upload files, or a folder with its content, into the open folder. */
export function UploadButton({ bucket, prefix }: { bucket: string; prefix: string }) {
  const t = useT()
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const take = ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    if (input.files) uploadFiles(bucket, prefix, filesFromInput(input.files))
    // Cleared, so that choosing the same file again triggers the event.
    input.value = ''
  }
  const reason = useDisabledReason({ bucket, prefix })('s3:PutObject')
  const button = (
    <Button variant="filled" leftSection={<Icon of={IconUpload} />}>
      {t('Upload')}
    </Button>
  )
  if (reason) return <Disabled reason={reason}>{button}</Disabled>
  return (
    <>
      <Menu>
        <Menu.Target>{button}</Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon of={IconUpload} />} onClick={() => files.current?.click()}>
            {t('Upload Files')}
          </Menu.Item>
          <Menu.Item leftSection={<Icon of={IconFolderUp} />} onClick={() => folder.current?.click()}>
            {t('Upload Folder')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <input ref={files} type="file" multiple hidden aria-label={t('Files to upload')} onChange={take} />
      <input ref={folder} type="file" {...wholeFolders} hidden aria-label={t('Folder to upload')} onChange={take} />
    </>
  )
}
