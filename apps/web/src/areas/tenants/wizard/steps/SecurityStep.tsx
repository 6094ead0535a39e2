import { Checkbox } from '@mantine/core'
import { useT } from '../../../../lib/text/i18n.ts'
import { FieldHint } from '../../../../ui/form/FieldHint.tsx'
import { SwitchField } from '../../../../ui/form/SwitchField.tsx'
import { CertificatePairFields, CertificatePairRows } from '../../certificates/CertificatePairRows.tsx'
import css from '../../tenants.module.css'
import type { WizardStepProps } from '../fields/WizardFields.tsx'

/** The step for TLS and its certificates. */
export function SecurityStep({ draft: { security, certificates }, set, problems }: WizardStepProps) {
  const t = useT()
  return (
    <>
      <SwitchField
        label={t('Enable TLS')}
        hint={t('All traffic is encrypted. Server-side encryption needs it.')}
        checked={security.enableTLS}
        onChange={(event) => set('security', { enableTLS: event.currentTarget.checked })}
      />
      {security.enableTLS && (
        <>
          <Checkbox
            label={t('Autocert')}
            description={t('The cluster issues and renews the certificates.')}
            checked={security.enableAutoCert}
            onChange={(event) => set('security', { enableAutoCert: event.currentTarget.checked })}
          />
          <Checkbox
            label={t('Custom Certificates')}
            description={t('Certificates that you have, as files.')}
            checked={security.enableCustomCerts}
            onChange={(event) => set('security', { enableCustomCerts: event.currentTarget.checked })}
          />
          <FieldHint id="tls-error" hint={undefined} error={problems.enableTLS} />
          {security.enableCustomCerts && (
            <>
              <fieldset className={css.files}>
                <legend className="strong">{t('MinIO Certificates')}</legend>
                <CertificatePairRows
                  pairs={certificates.minioCertificates}
                  onChange={(minioCertificates) => set('certificates', { minioCertificates })}
                  withKey
                />
              </fieldset>
              <fieldset className={css.files}>
                <legend className="strong">{t('MinIO CA Certificates')}</legend>
                <CertificatePairRows
                  pairs={certificates.caCertificates}
                  onChange={(caCertificates) => set('certificates', { caCertificates })}
                  withKey={false}
                />
              </fieldset>
              <fieldset className={css.files}>
                <legend className="strong">{t('Console Certificate')}</legend>
                <div className={css.row}>
                  <CertificatePairFields
                    pair={certificates.consoleCertificate}
                    onChange={(consoleCertificate) => set('certificates', { consoleCertificate })}
                  />
                </div>
              </fieldset>
              <fieldset className={css.files}>
                <legend className="strong">{t('Console CA Certificates')}</legend>
                <CertificatePairRows
                  pairs={certificates.consoleCaCertificates}
                  onChange={(consoleCaCertificates) => set('certificates', { consoleCaCertificates })}
                  withKey={false}
                />
              </fieldset>
            </>
          )}
        </>
      )}
    </>
  )
}
