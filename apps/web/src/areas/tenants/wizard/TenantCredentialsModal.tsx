import { Button } from '@mantine/core'
import { saveFile } from '../../../lib/save-file.ts'
import { useT } from '../../../lib/text/i18n.ts'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import form from '../../../ui/dialog/FormModal.module.css'
import css from '../tenants.module.css'

interface TenantCredentialsModalProps {
  tenant: string
  keys: readonly { access_key: string; secret_key: string }[]
  /** The users are in an identity provider, so there are no keys. */
  external: boolean
  onClose: () => void
}

/** The dialog with the keys of a new tenant, which are shown once. */
export function TenantCredentialsModal({ tenant, keys, external, onClose }: TenantCredentialsModalProps) {
  const t = useT()
  const download = () => saveFile('credentials.json', JSON.stringify({ console: keys }, null, 2), 'application/json')
  return (
    <Dialog title={t('New Tenant Created')} onClose={onClose} fields>
      <div className={form.body}>
        <p>{t('The tenant {{tenant}} has been created.', { tenant })}</p>
        {external ? (
          <p>{t('Please Login via the configured external identity provider.')}</p>
        ) : (
          <>
            <p>{t('These credentials are not shown again.')}</p>
            {keys.map(({ access_key, secret_key }) => (
              <dl key={access_key} className={css.facts}>
                <dt>{t('Access Key')}</dt>
                <dd>
                  <code>{access_key}</code> <CopyButton text={access_key} name={t('Access Key')} />
                </dd>
                <dt>{t('Secret Key')}</dt>
                <dd>
                  <code>{secret_key}</code> <CopyButton text={secret_key} name={t('Secret Key')} />
                </dd>
              </dl>
            ))}
          </>
        )}
      </div>
      <div className={form.foot}>
        <div className="grow" />
        {/* Not the button that closes the dialog, because the keys are not shown again. */}
        {!external && (
          <Button onClick={download} data-autofocus>
            {t('Download')}
          </Button>
        )}
        <Button variant="filled" onClick={onClose} data-autofocus={external || undefined}>
          {t('Done')}
        </Button>
      </div>
    </Dialog>
  )
}
