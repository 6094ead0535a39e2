import { ActionIcon } from '@mantine/core'
import { IconArchiveOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useT } from '../../../../lib/text/i18n.ts'
import { Trans } from '../../../../lib/text/Trans.tsx'
import { Disabled, useDisabledReason } from '../../../../ui/controls/Disabled.tsx'
import { Icon } from '../../../../ui/icons/Icon.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import css from '../../styles/objects.module.css'
import { ObjectFact } from './ObjectFact.tsx'
import type { ObjectSectionProps } from './section-props.ts'
import { TierRestoreModal } from './TierRestoreModal.tsx'

/** Storage classes that are not tiers. */
const LOCAL_CLASSES: ReadonlySet<string> = new Set(['STANDARD', 'REDUCED_REDUNDANCY'])

/** The storage class; of an object on a tier also the copy that was brought back, and the button to do so. */
export function StorageClassFact({ bucket, name, details }: Omit<ObjectSectionProps, 'latest'>) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const needs = useDisabledReason({ bucket, prefix: details.name })
  const { storage_class: storageClass, restore = '' } = details
  const [, until] = /expiry-date="([^"]+)"/.exec(restore) ?? []
  const running = restore.includes('ongoing-request="true"')
  return (
    <>
      <dt>{t('Storage class')}</dt>
      <dd className={css.copied}>
        <code className="grow truncate">{storageClass}</code>
        {!LOCAL_CLASSES.has(storageClass) && (
          <Disabled
            reason={(running && t('The object is being brought back.')) || needs('s3:RestoreObject')}
            label={t('Bring back from tier')}
          >
            <ActionIcon size={24} aria-label={t('Bring back from tier')} onClick={() => setOpen(true)}>
              <Icon of={IconArchiveOff} />
            </ActionIcon>
          </Disabled>
        )}
      </dd>
      {(running || until !== undefined) && (
        <ObjectFact label={t('Restored copy')}>
          {until === undefined ? (
            t('The object is being brought back.')
          ) : (
            <Trans text="until <time/>" parts={{ time: <Time at={new Date(until).toISOString()} exact /> }} />
          )}
        </ObjectFact>
      )}
      {open && <TierRestoreModal bucket={bucket} name={name} details={details} onClose={() => setOpen(false)} />}
    </>
  )
}
