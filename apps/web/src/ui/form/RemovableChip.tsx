import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useT } from '../../lib/text/i18n.ts'
import { Icon } from '../icons/Icon.tsx'
import css from './form.module.css'

/** A short text in a monospaced font with a remove button, such as a condition of a policy. */
export function RemovableChip({ text, onRemove }: { text: string; onRemove: () => void }) {
  const t = useT()
  return (
    <span className={css.chip}>
      <code>{text}</code>
      <ActionIcon size={20} aria-label={t('Remove {{name}}', { name: text })} onClick={onRemove}>
        <Icon of={IconX} size={12} />
      </ActionIcon>
    </span>
  )
}
