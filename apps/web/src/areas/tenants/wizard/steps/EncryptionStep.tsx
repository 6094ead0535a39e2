import { Checkbox } from '@mantine/core'
import { useT } from '../../../../lib/text/i18n.ts'
import { FieldHint } from '../../../../ui/form/FieldHint.tsx'
import { SegmentField } from '../../../../ui/form/SegmentField.tsx'
import { CertificateFileInput, CertificatePairFields } from '../../certificates/CertificatePairRows.tsx'
import { type CertificatePair, isEmptyPair } from '../../certificates/certificate-pairs.ts'
import css from '../../tenants.module.css'
import { mayEncrypt } from '../draft/draft-problems.ts'
import type { TenantDraft } from '../draft/tenant-draft.ts'
import { KEY_STORE_FIELDS } from '../draft/wizard-fields.ts'
import { WizardFields, type WizardStepProps } from '../fields/WizardFields.tsx'

/** The certificates of a draft that are a single pair. */
type PairName = {
  [K in keyof TenantDraft['certificates']]: TenantDraft['certificates'][K] extends CertificatePair ? K : never
}[keyof TenantDraft['certificates']]

/** The step for the key store that encrypts the tenant's objects. */
export function EncryptionStep({ draft, set, problems }: WizardStepProps) {
  const t = useT()
  const { encryption, certificates } = draft
  const may = mayEncrypt(draft)
  const type = encryption.encryptionType
  const pair = (title: string, name: PairName) => (
    <fieldset className={css.files}>
      <legend className="strong">{title}</legend>
      <div className={css.row}>
        <CertificatePairFields pair={certificates[name]} onChange={(next) => set('certificates', { [name]: next })} />
      </div>
      {/* An error only after the user began to choose files. */}
      <FieldHint
        id={`${name}-error`}
        hint={problems[name]}
        error={isEmptyPair(certificates[name]) ? undefined : problems[name]}
      />
    </fieldset>
  )
  const authority = (name: 'vaultCA' | 'gemaltoCA') => (
    <CertificateFileInput
      label={t('CA Certificate')}
      name={certificates[name].cert}
      onPick={(cert, encoded_cert) => set('certificates', { [name]: { ...certificates[name], cert, encoded_cert } })}
    />
  )
  return (
    <>
      <Checkbox
        label={t('Enable Server Side Encryption')}
        description={
          may ? undefined : t('It needs TLS with automatic certificates, or with a certificate and its key.')
        }
        disabled={!may}
        checked={encryption.enableEncryption && may}
        onChange={(event) => set('encryption', { enableEncryption: event.currentTarget.checked })}
      />
      {encryption.enableEncryption && may && (
        <>
          <SegmentField
            label={t('Key store')}
            data={[
              { value: 'vault', label: t('Vault') },
              { value: 'aws', label: t('AWS') },
              { value: 'gemalto', label: t('Gemalto') },
              { value: 'gcp', label: t('GCP') },
            ]}
            value={type}
            onChange={(encryptionType: typeof type) => set('encryption', { encryptionType })}
          />
          <Checkbox
            label={t('Custom Certificates')}
            checked={encryption.enableCustomCertsForKES}
            onChange={(event) => set('encryption', { enableCustomCertsForKES: event.currentTarget.checked })}
          />
          {encryption.enableCustomCertsForKES && (
            <>
              {pair(t('Encryption service certificates'), 'serverCertificate')}
              {pair(t('Mutual TLS authentication'), 'clientCertificate')}
            </>
          )}
          <WizardFields
            // Each key store has fields of its own, also where their names are the same.
            key={type}
            fields={KEY_STORE_FIELDS[type]}
            values={encryption[type] as Readonly<Record<string, string>>}
            problems={problems}
            onChange={(part) => set('encryption', { [type]: { ...encryption[type], ...part } })}
          />
          {type === 'vault' && (
            <>
              {pair(t('Mutual TLS authentication with Vault'), 'vaultCertificate')}
              {authority('vaultCA')}
            </>
          )}
          {type === 'gemalto' && authority('gemaltoCA')}
        </>
      )}
    </>
  )
}
