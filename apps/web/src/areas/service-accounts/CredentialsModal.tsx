import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useT } from '../../lib/text/i18n.ts'
import { CopyButton } from '../../ui/controls/CopyButton.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import formCss from '../../ui/dialog/FormModal.module.css'
import { Icon } from '../../ui/icons/Icon.tsx'
import { StatusIcon } from '../../ui/icons/StatusIcon.tsx'
import css from './credentials.module.css'
import { credentialsFile, type NewCredentials } from './credentials.ts'

interface CredentialsModalProps {
  title: string
  credentials: NewCredentials
  onClose: () => void
}

/** The dialog that shows new keys, once. */
export function CredentialsModal({ title, credentials, onClose }: CredentialsModalProps) {
  const t = useT()
  const { console: pairs, idp = false } = credentials
  return (
    // Escape and a click outside do not close it, because the keys cannot be read again.
    <Dialog fields title={title} onClose={onClose} closeOnEscape={idp}>
      <div className={formCss.body}>
        {idp ? (
          <p>{t('Please Login via the configured external identity provider.')}</p>
        ) : (
          <>
            {pairs.map(({ accessKey, secretKey }) => (
              <dl key={accessKey} className={css.pair}>
                <CredentialValue label={t('Access Key')} text={accessKey} />
                <CredentialValue label={t('Secret Key')} text={secretKey} />
              </dl>
            ))}
            <p className={css.note}>
              <StatusIcon state="warn" />
              <span>{t('Write these down, as this is the only time the secret will be displayed.')}</span>
            </p>
          </>
        )}
      </div>
      <div className={formCss.foot}>
        <div className="grow" />
        {!idp && (
          <Button leftSection={<Icon of={IconDownload} />} onClick={() => download(credentialsFile(credentials))}>
            {t('Download')}
          </Button>
        )}
        <Button variant="filled" onClick={onClose}>
          {t('Done')}
        </Button>
      </div>
    </Dialog>
  )
}

function CredentialValue({ label, text }: { label: string; text: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <code>{text}</code>
        <CopyButton text={text} name={label} />
      </dd>
    </>
  )
}

function download(text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = Object.assign(document.createElement('a'), { href: address, download: 'credentials.json' })
  link.click()
  URL.revokeObjectURL(address)
}
