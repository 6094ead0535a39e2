import { Button } from '@mantine/core'
import type { Output } from '@stowage/contract'
import { useState } from 'react'
import { useChange } from '../../lib/changes/change.ts'
import { useT } from '../../lib/text/i18n.ts'
import { CopyButton } from '../../ui/controls/CopyButton.tsx'
import { whileBusy } from '../../ui/controls/while-busy.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { WIDE_DIALOG_WIDTH } from '../../ui/dialog/FormModal.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { ErrorBanner } from '../../ui/feedback/ErrorBanner.tsx'
import css from './connect-prometheus.module.css'

/** The dialog with the Prometheus configuration for the storage server. The token is created on demand and shown once. */
export function ConnectPrometheusDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const [made, setMade] = useState<Output<'connectPrometheus'>>()
  const connect = useChange('connectPrometheus', { onDone: setMade })
  return (
    <Dialog title={t('Connect Prometheus')} size={WIDE_DIALOG_WIDTH} onClose={onClose} fields={made !== undefined}>
      <div className={css.body}>
        {connect.error && <ErrorBanner error={connect.error} />}
        {made ? (
          <>
            <Banner kind="warn">
              {t('The token is shown only now. It is valid until the service account {{key}} is deleted.', {
                key: made.access_key,
              })}
            </Banner>
            <CopyableText label={t('Scrape configuration')} text={made.scrape_config} />
            <CopyableText label={t('Alert rules')} text={made.alert_rules} />
          </>
        ) : (
          <>
            <p>
              {t(
                'A service account is created for you that may read the metrics of this server and nothing else. Its token is in the scrape configuration for your Prometheus.',
              )}
            </p>
            <p className="ink-2">
              {t(
                'To show the charts of this dashboard from that Prometheus, set STOWAGE_PROMETHEUS_URL of the console.',
              )}
            </p>
            <div className={css.actions}>
              <Button variant="filled" {...whileBusy(connect.isPending)} onClick={() => connect.run({})}>
                {t('Make a token')}
              </Button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  )
}

function CopyableText({ label, text }: { label: string; text: string }) {
  return (
    <section aria-label={label}>
      <div className={css.head}>
        <h3>{label}</h3>
        <CopyButton text={text} name={label} />
      </div>
      <pre className={css.text}>{text}</pre>
    </section>
  )
}
