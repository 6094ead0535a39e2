import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../../lib/api/query.ts'
import { consoleAddress } from '../../../lib/base-path.ts'
import { useChange } from '../../../lib/changes/change.ts'
import { useSession } from '../../../lib/session/session.ts'
import { shortDurationText } from '../../../lib/text/clock-time.ts'
import { formatDateTime } from '../../../lib/text/format.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { FormModal } from '../../../ui/dialog/FormModal.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { StatusIcon } from '../../../ui/icons/StatusIcon.tsx'
import css from './record-audit.module.css'

/** The interval at which the last record is checked (ms). */
const CHECK_MS = 5000

/** The dialog that sets the audit webhook of the connected server to this console. It shows the change first, and tests it. */
export function RecordAuditModal({ onClose }: { onClose: () => void }) {
  const t = useT()
  const { server = '' } = useSession()
  const source = auditSourceName(server)
  const [result, setResult] = useState<{ restart: boolean; arrived: boolean }>()
  const form = useForm({
    initialValues: { address: new URL(consoleAddress('/'), location.origin).href.replace(/\/$/, '') },
  })
  const { data: receiver } = useQuery({
    ...q('getAuditReceiver', { query: { source } }),
    refetchInterval: CHECK_MS,
  })
  const record = useChange('recordAudit', { onDone: setResult })
  const endpoint = `${form.values.address.replace(/\/+$/, '')}/api/v1/audit/ingest`
  return (
    <FormModal
      title={t('Record here')}
      subject={server}
      form={form}
      change={record}
      onClose={onClose}
      submit={t('Set and test')}
      ready={form.values.address !== ''}
      onSubmit={(values) => {
        setResult(undefined)
        record.run({ body: { ...values, source, wait: 20 } })
      }}
    >
      <p className="ink-2">
        {t('The storage server will send a record of each request to this console. These settings are written to it:')}
      </p>
      <pre
        className={css.preview}
      >{`audit_webhook:stowage\n  enable=on\n  endpoint=${endpoint}\n  auth_token=•••••••`}</pre>
      <TextField
        label={t('Address of this console')}
        hint={t(
          'As the storage server reaches it. An address of this computer works only where the server runs on it.',
        )}
        data-autofocus
        {...form.getInputProps('address')}
      />
      <dl className={css.facts}>
        <dt>{t('Test')}</dt>
        <dd role="status">
          {record.isPending ? (
            t('Waiting for a record, 20 seconds at most')
          ) : result ? (
            <RecordAuditResult {...result} />
          ) : (
            '–'
          )}
        </dd>
        <dt>{t('Last record')}</dt>
        <dd>
          {receiver?.last_record === undefined
            ? t('None since the console started')
            : formatDateTime(receiver.last_record)}
        </dd>
        {receiver?.lag !== undefined && (
          <>
            <dt>{t('Lag')}</dt>
            <dd>{shortDurationText(receiver.lag * 1e6)}</dd>
          </>
        )}
      </dl>
    </FormModal>
  )
}

function RecordAuditResult({ restart, arrived }: { restart: boolean; arrived: boolean }) {
  const t = useT()
  if (restart) return <StatusIcon state="warn">{t('The server sends records after its next restart.')}</StatusIcon>
  if (arrived) return <StatusIcon state="ok">{t('A record has arrived.')}</StatusIcon>
  return (
    <StatusIcon state="bad">
      {t('No record has arrived. Check that the server can reach this address; its log says what failed.')}
    </StatusIcon>
  )
}

/** Returns a valid source name from the server's host and port. */
const auditSourceName = (server: string) => server.replace(/[^\w.-]/g, '-').slice(0, 64) || 'server'
