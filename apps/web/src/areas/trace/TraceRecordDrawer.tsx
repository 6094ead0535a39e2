import type { TraceMessage } from '@stowage/contract'
import { clockTime, shortDurationText } from '../../lib/text/clock-time.ts'
import { formatSize } from '../../lib/text/format.ts'
import { type Message, msg, useT } from '../../lib/text/i18n.ts'
import { StatusIcon } from '../../ui/icons/StatusIcon.tsx'
import { Drawer, DrawerSection } from '../../ui/page/Drawer.tsx'
import { RawRecord, RecordFacts, RecordTitle } from '../../ui/page/RecordFacts.tsx'
import { ObjectName } from '../../ui/values/ObjectName.tsx'
import { traceStatus } from './columns.tsx'

/** The drawer with all details of a record. */
export function TraceRecordDrawer({
  record,
  onFollow,
  onClose,
}: {
  record: TraceMessage
  onFollow: () => void
  onClose: () => void
}) {
  const t = useT()
  const { statusCode, statusMsg, callStats } = record
  const facts: [Message, string][] = [
    [msg('Time'), clockTime(record.time)],
    [msg('Method'), record.method],
    [msg('Query'), record.query],
    [msg('Caller'), record.client],
    [msg('Host'), record.host],
    [msg('Server'), record.node],
    [msg('Load Time'), shortDurationText(record.durationNs)],
    [msg('Time to first byte'), record.timeToFirstByteNs > 0 ? shortDurationText(record.timeToFirstByteNs) : ''],
    [msg('Upload'), formatSize(Math.max(0, callStats.rx))],
    [msg('Download'), formatSize(Math.max(0, callStats.tx))],
    [msg('Request ID'), record.requestId],
    [msg('User Agent'), record.userAgent],
    [msg('Error'), record.error],
  ]
  return (
    <Drawer
      label={t('Record')}
      contentKey={`${record.time} ${record.requestId} ${record.api}`}
      onClose={onClose}
      header={
        <>
          <RecordTitle>{record.api}</RecordTitle>
          <StatusIcon state={traceStatus(record)}>
            {statusCode === 0 ? t('No status') : <ObjectName name={`${statusCode} ${statusMsg}`} />}
          </StatusIcon>
          <div className="mono">
            <ObjectName name={record.path} />
          </div>
        </>
      }
    >
      <DrawerSection label={t('Request')}>
        <RecordFacts facts={facts.map(([label, value]) => [t(label), value])} />
        {record.requestId !== '' && (
          <button type="button" className="link" onClick={onFollow}>
            {t('Follow this request')}
          </button>
        )}
      </DrawerSection>
      <Headers label={t('Request headers')} headers={record.requestHeaders} />
      <Headers label={t('Response headers')} headers={record.responseHeaders} />
      <RawRecord record={record} />
    </Drawer>
  )
}

function Headers({ label, headers = {} }: { label: string; headers: TraceMessage['requestHeaders'] }) {
  const all = Object.entries(headers)
  if (all.length === 0) return null
  return (
    <DrawerSection label={label}>
      <RecordFacts mono facts={all.map(([name, values]) => [name, values.join(', ')])} />
    </DrawerSection>
  )
}
