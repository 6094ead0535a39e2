import { formatBytes, formatSize } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { DrawerSection } from '../../../ui/Drawer.tsx'
import { Time } from '../../../ui/Time.tsx'
import css from '../objects.module.css'
import { Copied, Fact } from './Fact.tsx'
import { StorageClass } from './StorageClass.tsx'
import type { SectionProps } from './section-props.ts'

/** What the server reports about a version. */
export function FactsSection({ bucket, name, details, latest }: SectionProps) {
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
