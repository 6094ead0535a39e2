import { ActionIcon } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { change } from '../../../../lib/changes/change.ts'
import { confirm } from '../../../../lib/feedback/confirm.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { plainName } from '../../../../lib/text/visible-name.ts'
import { Disabled, useDisabledReason } from '../../../../ui/controls/Disabled.tsx'
import { Icon } from '../../../../ui/icons/Icon.tsx'
import { DrawerSection } from '../../../../ui/page/Drawer.tsx'
import detail from '../../styles/object-detail.module.css'
import { AddTagModal } from './AddTagModal.tsx'
import type { ObjectSectionProps } from './section-props.ts'

/** The tags of a version; nothing if the user has no right to read them. */
export function ObjectTagsSection({ bucket, name, details }: ObjectSectionProps) {
  const t = useT()
  const [adding, setAdding] = useState(false)
  const needs = useDisabledReason({ bucket, prefix: details.name })
  const { tags } = details
  if (!tags) return null
  const remove = (key: string) => {
    const { [key]: _, ...rest } = tags
    confirm({
      title: t('Delete Tag'),
      subject: `${key} : ${tags[key]}`,
      body: t('The tag will be removed from this version of the object.'),
      action: t('Delete Tag'),
      danger: true,
      run: () =>
        change(
          'setObjectTags',
          {
            params: { bucket },
            query: { prefix: details.name, ...(details.version_id ? { version_id: details.version_id } : {}) },
            body: { tags: rest, before: { ...tags } },
          },
          { message: () => t('Tags of {{name}} updated', { name: plainName(name) }) },
        ),
    })
  }
  const reason = needs(details.version_id ? 's3:PutObjectVersionTagging' : 's3:PutObjectTagging')
  return (
    <DrawerSection
      label={t('Tags')}
      action={
        <Disabled reason={reason} label={t('Add tag')}>
          <ActionIcon size={24} aria-label={t('Add tag')} onClick={() => setAdding(true)}>
            <Icon of={IconPlus} />
          </ActionIcon>
        </Disabled>
      }
    >
      {Object.keys(tags).length === 0 ? (
        <span className="ink-3">{t('No tags')}</span>
      ) : (
        <ul className={detail.tags} aria-label={t('Tags')}>
          {Object.entries(tags).map(([key, value]) => (
            <li key={key}>
              <span className="truncate">{`${key} : ${value}`}</span>
              <Disabled reason={reason}>
                <ActionIcon size={18} aria-label={t('Delete tag {{key}}', { key })} onClick={() => remove(key)}>
                  <Icon of={IconX} />
                </ActionIcon>
              </Disabled>
            </li>
          ))}
        </ul>
      )}
      {adding && (
        <AddTagModal
          bucket={bucket}
          objectKey={details.name}
          name={name}
          versionId={details.version_id}
          tags={tags}
          onClose={() => setAdding(false)}
        />
      )}
    </DrawerSection>
  )
}
