import { ActionIcon } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { useT } from '../../../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../../../ui/controls/Disabled.tsx'
import { Icon } from '../../../../ui/icons/Icon.tsx'
import { DrawerSection } from '../../../../ui/page/Drawer.tsx'
import css from '../../styles/objects.module.css'
import { MetadataModal } from './MetadataModal.tsx'
import { ObjectFact } from './ObjectFact.tsx'
import type { ObjectSectionProps } from './section-props.ts'

/** The headers and the user metadata that are stored with the object. */
export function ObjectMetadataSection({ bucket, name, details, latest }: ObjectSectionProps) {
  const t = useT()
  const [editing, setEditing] = useState(false)
  const needs = useDisabledReason({ bucket, prefix: details.name })
  const own = [
    ...Object.entries(details.headers),
    ...Object.entries(details.user_metadata).map(([key, value]) => [`x-amz-meta-${key}`, value] as const),
  ].toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
  return (
    <DrawerSection
      label={t('Object Metadata')}
      action={
        <Disabled
          reason={needs('s3:PutObject') || (!latest && t('Only the latest version can be changed.'))}
          label={t('Edit metadata')}
        >
          <ActionIcon size={24} aria-label={t('Edit metadata')} onClick={() => setEditing(true)}>
            <Icon of={IconPencil} />
          </ActionIcon>
        </Disabled>
      }
    >
      {own.length === 0 ? (
        <span className="ink-3">{t('No metadata')}</span>
      ) : (
        <dl className={css.metadata}>
          {own.map(([key = '', value = '']) => (
            <ObjectFact key={key} label={key}>
              <code title={value}>{value}</code>
            </ObjectFact>
          ))}
        </dl>
      )}
      {editing && <MetadataModal bucket={bucket} name={name} details={details} onClose={() => setEditing(false)} />}
    </DrawerSection>
  )
}
