import { ActionIcon } from '@mantine/core'
import type { ObjectDetails } from '@stowage/contract'
import { IconArchiveOff, IconPencil, IconPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { change } from '../../../lib/api/change.ts'
import { bucketsQuery } from '../../../lib/data/buckets.ts'
import { confirm } from '../../../lib/feedback/confirm.ts'
import { useMay } from '../../../lib/session/permissions.ts'
import { formatBytes, formatSize } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { Trans } from '../../../lib/text/Trans.tsx'
import { plainName } from '../../../lib/text/visible-name.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Disabled, useNeeds } from '../../../ui/Disabled.tsx'
import { DrawerSection } from '../../../ui/Drawer.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { ObjectName } from '../../../ui/ObjectName.tsx'
import { Time } from '../../../ui/Time.tsx'
import css from '../objects.module.css'
import { AddTagModal } from './AddTagModal.tsx'
import detail from './detail.module.css'
import { MetadataModal } from './MetadataModal.tsx'
import { RetentionModal } from './RetentionModal.tsx'
import { TierRestoreModal } from './TierRestoreModal.tsx'

interface DetailsTabProps {
  bucket: string
  name: string
  details: ObjectDetails
  /** Whether it is the latest version. */
  latest: boolean
}

/** The properties of a version: facts, lock, tags and metadata, with buttons to change them. */
export function DetailsTab(props: DetailsTabProps) {
  const { details } = props
  return (
    <>
      <Facts {...props} />
      {!details.is_delete_marker && (
        <>
          <Lock {...props} />
          <Tags {...props} />
          <Metadata {...props} />
        </>
      )}
    </>
  )
}

function Facts({ bucket, name, details, latest }: DetailsTabProps) {
  const t = useT()
  const { version_id: versionId } = details
  const note = latest ? t('latest') : undefined
  return (
    <DrawerSection>
      <dl className={css.facts}>
        {!details.is_delete_marker && (
          <Fact label={t('Size')}>
            {formatSize(details.size)} <span className="ink-3 figures">{formatBytes(details.size)}</span>
          </Fact>
        )}
        {details.last_modified !== '' && (
          <Fact label={t('Last Modified')}>
            <Time at={details.last_modified} exact />
          </Fact>
        )}
        {details.content_type !== '' && (
          <Fact label={t('Content type')}>
            <code>{details.content_type}</code>
          </Fact>
        )}
        {details.etag !== '' && <Copied label={t('ETag')} text={details.etag} />}
        {versionId !== undefined && versionId !== 'null' && (
          <Copied label={t('Version ID')} text={versionId} {...(note !== undefined && { note })} />
        )}
        <Copied label={t('Key')} text={details.name} />
        {details.storage_class !== 'STANDARD' && <StorageClass bucket={bucket} name={name} details={details} />}
        {details.replication_status !== undefined && (
          <Fact label={t('Replication')}>
            <code>{details.replication_status}</code>
          </Fact>
        )}
        {details.encryption !== undefined && (
          <Fact label={t('Encryption')}>
            {details.encryption === 'customer' ? t('With a key of the client') : <code>{details.encryption}</code>}
            {details.encryption_key !== undefined && <code> {details.encryption_key}</code>}
          </Fact>
        )}
        {Object.entries(details.checksums).map(([algorithm, text]) => (
          <Copied key={algorithm} label={algorithm.toUpperCase()} text={text} />
        ))}
        {details.parts !== undefined && details.parts > 1 && <Fact label={t('Parts')}>{details.parts}</Fact>}
        {details.expiration !== undefined && <Fact label={t('Lifecycle')}>{details.expiration}</Fact>}
      </dl>
    </DrawerSection>
  )
}

/** Storage classes that are not tiers. */
const HERE: ReadonlySet<string> = new Set(['STANDARD', 'REDUCED_REDUNDANCY'])

/** The storage class; of an object on a tier also the copy that was brought back, and the button to do so. */
function StorageClass({ bucket, name, details }: Omit<DetailsTabProps, 'latest'>) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const needs = useNeeds({ bucket, prefix: details.name })
  const { storage_class: storageClass, restore = '' } = details
  const [, until] = /expiry-date="([^"]+)"/.exec(restore) ?? []
  const running = restore.includes('ongoing-request="true"')
  return (
    <>
      <dt>{t('Storage class')}</dt>
      <dd className={css.copied}>
        <code className="grow truncate">{storageClass}</code>
        {!HERE.has(storageClass) && (
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
        <Fact label={t('Restored copy')}>
          {until === undefined ? (
            t('The object is being brought back.')
          ) : (
            <Trans text="until <time/>" parts={{ time: <Time at={new Date(until).toISOString()} exact /> }} />
          )}
        </Fact>
      )}
      {open && <TierRestoreModal bucket={bucket} name={name} details={details} onClose={() => setOpen(false)} />}
    </>
  )
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd className="truncate">{children}</dd>
    </>
  )
}

/** A value with a copy button. */
export function Copied({ label, text, note }: { label: string; text: string; note?: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd className={css.copied}>
        <code className="truncate" title={plainName(text)}>
          <ObjectName name={text} />
        </code>
        {note !== undefined && <span className="ink-3 small">{note}</span>}
        <CopyButton text={text} name={label} />
      </dd>
    </>
  )
}

/** Legal hold and retention, for buckets with object locking. */
function Lock({ bucket, name, details }: DetailsTabProps) {
  const t = useT()
  const [editing, setEditing] = useState(false)
  const { data } = useQuery(bucketsQuery)
  const needs = useNeeds({ bucket, prefix: details.name })
  const may = useMay({ bucket, prefix: details.name })
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
          { ...target, body: { status: held ? 'disabled' : 'enabled' } },
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
        <RetentionModal
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

function Tags({ bucket, name, details }: DetailsTabProps) {
  const t = useT()
  const [adding, setAdding] = useState(false)
  const needs = useNeeds({ bucket, prefix: details.name })
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
            body: { tags: rest },
          },
          { message: () => t('Tags of {{name}} updated', { name: plainName(name) }) },
        ),
    })
  }
  const reason = needs('s3:PutObjectTagging')
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

/** The headers and the user metadata that are stored with the object. */
function Metadata({ bucket, name, details, latest }: DetailsTabProps) {
  const t = useT()
  const [editing, setEditing] = useState(false)
  const needs = useNeeds({ bucket, prefix: details.name })
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
            <Fact key={key} label={key}>
              <code title={value}>{value}</code>
            </Fact>
          ))}
        </dl>
      )}
      {editing && <MetadataModal bucket={bucket} name={name} details={details} onClose={() => setEditing(false)} />}
    </DrawerSection>
  )
}
