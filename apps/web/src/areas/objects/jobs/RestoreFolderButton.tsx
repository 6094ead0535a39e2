import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconRestore } from '@tabler/icons-react'
import { useT } from '../../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { loadableDialog } from '../../../ui/lazy/loadable.tsx'

/** The button that restores a folder to the past time that is shown. */
export function RestoreFolderButton({ bucket, prefix, at }: { bucket: string; prefix: string; at: string }) {
  const t = useT()
  const needs = useDisabledReason({ bucket, prefix })
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <Disabled reason={needs('s3:PutObject')}>
        <Button variant="filled" leftSection={<Icon of={IconRestore} />} onClick={open}>
          {t('Restore this folder')}
        </Button>
      </Disabled>
      {opened && <RestoreFolderModal bucket={bucket} prefix={prefix} at={at} onClose={close} />}
    </>
  )
}

const RestoreFolderModal = loadableDialog(async () => (await import('./RestoreFolderModal.tsx')).RestoreFolderModal)
