import { formatBytes, formatSize } from '../../../../lib/text/format.ts'
import { useT } from '../../../../lib/text/i18n.ts'
import { DrawerSection } from '../../../../ui/page/Drawer.tsx'
import { Time } from '../../../../ui/values/Time.tsx'
import css from '../../styles/objects.module.css'
import { CopyableFact, ObjectFact } from './ObjectFact.tsx'
import { StorageClassFact } from './StorageClassFact.tsx'
import type { ObjectSectionProps } from './section-props.ts'

/** What the server reports about a version. */
export function ObjectFactsSection({ bucket, name, details, latest }: ObjectSectionProps) {
  const t = useT()
  const { version_id: versionId } = details
  const note = latest ? t('latest') : undefined
  return (
    <DrawerSection>
      <dl className={css.facts}>
        {!details.is_delete_marker && (
          <ObjectFact label={t('Size')}>
            {formatSize(details.size)} <span className="ink-3 figures">{formatBytes(details.size)}</span>
          </ObjectFact>
        )}
        {details.last_modified !== '' && (
          <ObjectFact label={t('Last Modified')}>
            <Time at={details.last_modified} exact />
          </ObjectFact>
        )}
        {details.content_type !== '' && (
          <ObjectFact label={t('Content type')}>
            <code>{details.content_type}</code>
          </ObjectFact>
        )}
        {details.etag !== '' && <CopyableFact label={t('ETag')} text={details.etag} />}
        {versionId !== undefined && versionId !== 'null' && (
          <CopyableFact label={t('Version ID')} text={versionId} {...(note !== undefined && { note })} />
        )}
        <CopyableFact label={t('Key')} text={details.name} />
        {details.storage_class !== 'STANDARD' && <StorageClassFact bucket={bucket} name={name} details={details} />}
        {details.replication_status !== undefined && (
          <ObjectFact label={t('Replication')}>
            <code>{details.replication_status}</code>
          </ObjectFact>
        )}
        {details.encryption !== undefined && (
          <ObjectFact label={t('Encryption')}>
            {details.encryption === 'customer' ? t('With a key of the client') : <code>{details.encryption}</code>}
            {details.encryption_key !== undefined && <code> {details.encryption_key}</code>}
          </ObjectFact>
        )}
        {Object.entries(details.checksums).map(([algorithm, text]) => (
          <CopyableFact key={algorithm} label={algorithm.toUpperCase()} text={text} />
        ))}
        {details.parts !== undefined && details.parts > 1 && (
          <ObjectFact label={t('Parts')}>{details.parts}</ObjectFact>
        )}
        {details.expiration !== undefined && <ObjectFact label={t('Lifecycle')}>{details.expiration}</ObjectFact>}
      </dl>
    </DrawerSection>
  )
}
