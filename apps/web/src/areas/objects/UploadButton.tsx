import { Button, Menu } from '@mantine/core'
import { IconFolderUp, IconUpload } from '@tabler/icons-react'
import { type ChangeEvent, useRef } from 'react'
import { useT } from '../../lib/text/i18n.ts'
import { fromInput } from '../../transfers/engine/collect.ts'
import { uploadInto } from '../../transfers/pick.ts'
import { Disabled, useNeeds } from '../../ui/Disabled.tsx'
import { Icon } from '../../ui/Icon.tsx'

/** Not in React's types, but in every browser. */
const wholeFolders = { webkitdirectory: '' }

/** Uploads files, or a folder with all in it, into the folder that is shown. */
export function UploadButton({ bucket, prefix }: { bucket: string; prefix: string }) {
  const t = useT()
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const take = ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    if (input.files) uploadInto(bucket, prefix, fromInput(input.files))
    // Emptied, so that choosing the same file again is a change too.
    input.value = ''
  }
  const reason = useNeeds({ bucket, prefix })('s3:PutObject')
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
