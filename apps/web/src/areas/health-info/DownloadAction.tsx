import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ConsoleAction } from '../../lib/data/permissions.ts'
import { Disabled, useDisabledReason } from '../../ui/controls/Disabled.tsx'
import { Icon } from '../../ui/icons/Icon.tsx'
import css from './health-info.module.css'

interface DownloadActionProps {
  /** The right that it needs. */
  action: ConsoleAction
  label: string
  /** The file, by its address and name. Without it, the button sends its form. */
  file?: { href: string; name: string }
  loading?: boolean
  disabled?: boolean
}

/** The button below a tab's fields that downloads what the tab is about. */
export function DownloadAction({ action, label, file, ...state }: DownloadActionProps) {
  const needs = useDisabledReason()
  const look = { variant: 'filled', leftSection: <Icon of={IconDownload} /> } as const
  return (
    <div className={css.actions}>
      <Disabled reason={needs(action)}>
        {file ? (
          <Button component="a" {...look} href={file.href} download={file.name}>
            {label}
          </Button>
        ) : (
          <Button type="submit" {...look} {...state}>
            {label}
          </Button>
        )}
      </Disabled>
    </div>
  )
}
