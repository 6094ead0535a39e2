import { ActionIcon } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { change } from '../../../../lib/changes/change.ts'
import { bucketsQuery } from '../../../../lib/data/buckets.ts'
import { usePermissions } from '../../../../lib/data/permissions.ts'
import { confirm } from '../../../../lib/feedback/confirm.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { Trans } from '../../../../lib/text/Trans.tsx'
import { plainName } from '../../../../lib/text/visible-name.ts'
import { Disabled, useDisabledReason } from '../../../../ui/controls/Disabled.tsx'
import { Icon } from '../../../../ui/icons/Icon.tsx'
import { DrawerSection } from '../../../../ui/page/Drawer.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import css from '../../styles/objects.module.css'
import { ObjectRetentionModal } from './ObjectRetentionModal.tsx'
import type { ObjectSectionProps } from './section-props.ts'

/** Legal hold and retention, for buckets with object locking. */
export function ObjectLockSection({ bucket, name, details }: ObjectSectionProps) {
  const t = useT()
  const [editing, setEditing] = useState(false)
  const { data } = useQuery(bucketsQuery)
  const needs = useDisabledReason({ bucket, prefix: details.name })
  const may = usePermissions({ bucket, prefix: details.name })
  const locking = data?.buckets.find((one) => one.name === bucket)?.details?.locking === true
  const known = details.legal_hold_status !== undefined || details.retention_mode !== undefined
  if (!locking && !known) return null
  const held = details.legal_hold_status === 'ON'
  const target = {
    params: { bucket },
    query: { prefix: details.name, ...(details.version_id === undefined ? {} : { version_id: details.version_id }) },
  }
  const askHold = () =>
    confirm({
      title: held ? t('Release Legal Hold') : t('Set Legal Hold'),
      subject: plainName(name),
      action: held ? t('Release Legal Hold') : t('Set Legal Hold'),
      body: held
        ? t('The version can be deleted again, unless a retention protects it.')
        : t('Nobody can delete the version until the legal hold is released.'),
      run: () =>
        change(
          'setObjectLegalHold',
          {
            ...target,
            body: { status: held ? 'disabled' : 'enabled', before: held ? 'enabled' : 'disabled' },
          },
          { message: () => t('Legal hold of {{name}} updated', { name: plainName(name) }) },
        ),
    })
  const mode = details.retention_mode === 'COMPLIANCE' ? t('Compliance') : t('Governance')
  return (
    <DrawerSection label={t('Object lock')}>
      <dl className={css.facts}>
        <dt>{t('Legal Hold')}</dt>
        <dd className={css.copied}>
          <span className="grow">{held ? t('On') : t('Off')}</span>
          <Disabled reason={needs('s3:PutObjectLegalHold')} label={t('Change legal hold')}>
            <ActionIcon size={24} aria-label={t('Change legal hold')} onClick={askHold}>
              <Icon of={IconPencil} />
            </ActionIcon>
          </Disabled>
        </dd>
        <dt>{t('Retention')}</dt>
        <dd className={css.copied}>
          <span className="grow">
            {details.retention_mode === undefined ? (
              t('None')
            ) : (
              <Trans
                text="{{mode}} until <time/>"
                values={{ mode }}
                parts={{ time: <Time at={details.retention_until_date ?? ''} exact /> }}
              />
            )}
          </span>
          <Disabled reason={needs('s3:PutObjectRetention')} label={t('Change retention')}>
            <ActionIcon size={24} aria-label={t('Change retention')} onClick={() => setEditing(true)}>
              <Icon of={IconPencil} />
            </ActionIcon>
          </Disabled>
        </dd>
      </dl>
      {editing && (
        <ObjectRetentionModal
          bucket={bucket}
          details={details}
          name={name}
          mayBypass={may('s3:BypassGovernanceRetention') !== false}
          onClose={() => setEditing(false)}
        />
      )}
    </DrawerSection>
  )
}
