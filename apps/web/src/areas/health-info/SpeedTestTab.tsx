import { Button, Loader, Select } from '@mantine/core'
import type { Output } from '@stowage/contract'
import { useState } from 'react'
import { formatCount, formatRate, formatSize } from '../../lib/text/format.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Disabled, useDisabledReason } from '../../ui/controls/Disabled.tsx'
import { TechnicalDetails } from '../../ui/feedback/Banner.tsx'
import { StatusIcon } from '../../ui/icons/StatusIcon.tsx'
import { useLiveStream } from '../../ui/live/use-live-stream.ts'
import { askSpeedTest } from './ask-speed-test.ts'
import css from './health-info.module.css'

const MiB = 2 ** 20
const SIZES = [16, 64, 256, 1024] as const
type Result = Output<'speedtest'>

/** How fast drives and objects are. It loads the server, so that it is asked before. */
export function SpeedTestTab() {
  const t = useT()
  const needs = useDisabledReason()
  const [test, setTest] = useState<'drive' | 'object'>('drive')
  const [size, setSize] = useState('64')
  const bytes = Number(size) * MiB
  const { stream, view } = useLiveStream('speedtest', () => ({ query: { test, bytes } }))
  const running = view.status === 'connecting' || view.status === 'running'
  const result = stream.all().at(-1)?.message
  return (
    <div className={css.body}>
      <p className="ink-2">
        {test === 'drive'
          ? t('A file is written to each drive, read again and removed. Requests are slower meanwhile.')
          : t(
              'Objects are uploaded and downloaded as fast as the server can, and removed. A MinIO server serves no other S3 requests meanwhile.',
            )}
      </p>
      <div className={css.actions}>
        <Select
          label={t('What is measured')}
          allowDeselect={false}
          disabled={running}
          data={[
            { value: 'drive', label: t('Drives') },
            { value: 'object', label: t('Objects') },
          ]}
          value={test}
          onChange={(value) => (value === 'drive' || value === 'object') && setTest(value)}
        />
        <Select
          label={test === 'drive' ? t('Size of the file') : t('Size of an object')}
          allowDeselect={false}
          disabled={running}
          data={SIZES.map((each) => ({ value: String(each), label: formatSize(each * MiB) }))}
          value={size}
          onChange={(value) => value && setSize(value)}
        />
      </div>
      <div className={css.actions}>
        <Disabled reason={needs('admin:OBDInfo')}>
          <Button variant="filled" disabled={running} onClick={() => askSpeedTest(test, async () => stream.start())}>
            {t('Start Speed Test')}
          </Button>
        </Disabled>
        {running && <Button onClick={() => stream.stop()}>{t('Cancel')}</Button>}
      </div>
      <div role="status" className={css.status}>
        {running && (
          <>
            <Loader size="xs" /> {t('The speed test is running.')}
          </>
        )}
        {view.status === 'ended' && result && <StatusIcon state="ok">{t('The speed test has ended.')}</StatusIcon>}
        {(view.status === 'failed' || view.status === 'stopped') && view.failure && (
          <>
            <StatusIcon state="bad">{t('The speed test failed.')}</StatusIcon>
            <span>{view.failure.errorMessage}</span>
            {view.failure.detailedError !== '' && <TechnicalDetails text={view.failure.detailedError} />}
          </>
        )}
      </div>
      {result && <SpeedTestResult result={result} />}
    </div>
  )
}

function SpeedTestResult({ result: { servers, put, get } }: { result: Result }) {
  const t = useT()
  return (
    <section aria-label={t('Result')}>
      <h2 className={css.title}>{t('Result')}</h2>
      <table className={css.results} aria-label={t('Result')}>
        <thead>
          <tr>
            <th scope="col">{t('Name')}</th>
            <th scope="col">{t('Written')}</th>
            <th scope="col">{t('Read')}</th>
          </tr>
        </thead>
        <tbody>
          {(put || get) && (
            <tr>
              <th scope="row">{t('Objects')}</th>
              {[put, get].map((rate, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns that stay where they are
                <td key={i}>
                  {rate
                    ? `${formatRate(rate.bytes)}, ${t('{{number}}/s', { number: formatCount(Math.round(rate.objects)) })}`
                    : '–'}
                </td>
              ))}
            </tr>
          )}
          {servers.flatMap(({ endpoint, error, drives }) => [
            ...(error === ''
              ? []
              : [
                  <tr key={endpoint}>
                    <th scope="row">{endpoint}</th>
                    <td colSpan={2}>{error}</td>
                  </tr>,
                ]),
            ...drives.map((drive) => (
              <tr key={`${endpoint} ${drive.path}`}>
                <th scope="row" className="mono">
                  {servers.length > 1 ? `${endpoint} ${drive.path}` : drive.path}
                </th>
                {drive.error === '' ? (
                  <>
                    <td>{formatRate(drive.write)}</td>
                    <td>{formatRate(drive.read)}</td>
                  </>
                ) : (
                  <td colSpan={2}>{drive.error}</td>
                )}
              </tr>
            )),
          ])}
        </tbody>
      </table>
    </section>
  )
}
