import type { AuditRow } from '@stowage/contract'
import { pathToObject } from '../../../lib/navigation/object-address.ts'
import { pathTo, withSearch } from '../../../lib/navigation/pages.ts'
import { formatDateTime, formatNanoseconds } from '../../../lib/text/format.ts'
import { type Message, msg, useT } from '../../../lib/text/i18n.ts'
import { Link } from '../../../ui/controls/Link.tsx'
import { Drawer, DrawerSection } from '../../../ui/page/Drawer.tsx'
import { RawRecord, RecordFacts, RecordPart, RecordTitle } from '../../../ui/page/RecordFacts.tsx'
import css from '../logs.module.css'
import { auditStatusText } from './audit-columns.tsx'

/** The drawer with all details of a record. */
export function AuditDrawer({ row, onClose }: { row: AuditRow; onClose: () => void }) {
  const t = useT()
  const facts: [Message, string][] = [
    [msg('Timestamp'), formatDateTime(row.time)],
    [msg('Bucket'), row.bucket],
    [msg('Object'), row.object],
    [msg('User'), row.user],
    [msg('Access Key'), row.access_key],
    [msg('Remote Host'), row.remote_host],
    [msg('Response Status'), auditStatusText(row)],
    [msg('Time to Response NS'), formatNanoseconds(row.time_to_response_ns)],
    [msg('Request ID'), row.request_id],
    [msg('User Agent'), row.user_agent],
    [msg('Source'), row.source],
  ]
  return (
    <Drawer
      label={t('Full Log Information')}
      contentKey={row.id}
      onClose={onClose}
      header={<RecordTitle>{row.api_name}</RecordTitle>}
    >
      <DrawerSection label={t('Full Log Information')}>
        <RecordFacts facts={facts.map(([label, value]) => [t(label), value])} />
        <div className={css.links}>
          {row.request_id !== '' && (
            <Link
              className="link"
              to={withSearch(pathTo('/logs/requests/$request', { request: row.request_id }), { at: row.time })}
            >
              {t('Follow this request')}
            </Link>
          )}
          {row.bucket !== '' && row.object !== '' && (
            <Link className="link" to={pathToObject(row.bucket, row.object)}>
              {t('Show the object')}
            </Link>
          )}
        </div>
      </DrawerSection>
      {consoleParts(row).map(([label, part]) => (
        <RecordPart key={label} label={t(label)} part={part} />
      ))}
      <RawRecord record={row.raw} />
    </Drawer>
  )
}

/** Returns what an action of the console named, replaced and set. */
function consoleParts({ source, raw }: AuditRow): [Message, object][] {
  if (source !== 'console') return []
  const { before, change } = (raw.tags ?? {}) as { before?: unknown; change?: unknown }
  const parts: [Message, unknown][] = [
    [msg('Query'), raw.requestQuery],
    [msg('Before'), before],
    [msg('Change'), change],
  ]
  return parts.flatMap(([label, part]) =>
    typeof part === 'object' && part !== null && Object.keys(part).length > 0 ? [[label, part]] : [],
  )
}
