import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useT } from '../lib/text/i18n.ts'
import { Icon } from './Icon.tsx'

/** Copies a text; says so on itself. `name` is what is copied: `ARN`. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const t = useT()
  const clipboard = useClipboard({ timeout: 1500 })
  const label = clipboard.error
    ? t('Copying is not allowed here')
    : clipboard.copied
      ? t('Copied')
      : t('Copy {{name}}', { name })
  return (
    <Tooltip label={label}>
      <ActionIcon size={24} aria-label={label} onClick={() => clipboard.copy(text)}>
        <Icon of={clipboard.copied ? IconCheck : IconCopy} />
      </ActionIcon>
    </Tooltip>
  )
}
