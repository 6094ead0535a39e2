import { Button } from '@mantine/core'
import type { ObjectDetails } from '@stowage/contract'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { useT } from '../../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import css from '../styles/object-detail.module.css'
import { EditTextModal } from './EditTextModal.tsx'

/** The button above the preview of a text that opens the editor. */
export function EditTextButton({ bucket, name, details }: { bucket: string; name: string; details: ObjectDetails }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const needs = useDisabledReason({ bucket, prefix: details.name })
  return (
    <div className={css.previewTools}>
      <Disabled reason={needs('s3:PutObject')}>
        <Button size="xs" leftSection={<Icon of={IconPencil} />} onClick={() => setOpen(true)}>
          {t('Edit Text')}
        </Button>
      </Disabled>
      {open && <EditTextModal bucket={bucket} name={name} details={details} onClose={() => setOpen(false)} />}
    </div>
  )
}
