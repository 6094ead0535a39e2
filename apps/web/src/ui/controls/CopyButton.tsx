import { ActionIcon, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useCopy } from '../../lib/clipboard.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Icon } from '../icons/Icon.tsx'

/** A button that copies `text` and then shows whether that worked. `name` describes the text: `ARN`. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const t = useT()
  const clipboard = useCopy()
  const label = clipboard.failed
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
