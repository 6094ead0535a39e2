import type { ReactNode } from 'react'
import { useT } from '../../../../lib/text/i18n.ts'
import { Banner } from '../../../../ui/feedback/Banner.tsx'
import { SegmentField } from '../../../../ui/form/SegmentField.tsx'
import { SwitchField } from '../../../../ui/form/SwitchField.tsx'
import type { FieldProblems } from '../draft/draft-problems.ts'
import type { TenantDraft } from '../draft/tenant-draft.ts'
import { AD_FIELDS, OIDC_FIELDS } from '../draft/wizard-fields.ts'
import { WizardFields } from '../fields/WizardFields.tsx'

export type IdentityProviderValues = Pick<
  TenantDraft['identityProvider'],
  'idpSelection' | 'openID' | 'activeDirectory'
>
type ActiveDirectory = IdentityProviderValues['activeDirectory']

interface IdentityProviderFieldsProps {
  values: IdentityProviderValues
  problems: FieldProblems
  /** The OpenID fields to show. Default: all. */
  oidcFields?: typeof OIDC_FIELDS
  /** What to show for the tenant's own users. */
  builtIn: ReactNode
  /** What to show below the fields of a directory. */
  directoryMore?: ReactNode
  onChange: (part: Partial<IdentityProviderValues>) => void
}

/** The choice of a tenant's identity provider, with its fields. */
export function IdentityProviderFields({
  values: { idpSelection, openID, activeDirectory },
  problems,
  oidcFields = OIDC_FIELDS,
  builtIn,
  directoryMore,
  onChange,
}: IdentityProviderFieldsProps) {
  const t = useT()
  return (
    <>
      <SegmentField
        label={t('Identity Provider')}
        data={[
          { value: 'Built-in', label: t('Built-in') },
          { value: 'OpenID', label: t('OpenID') },
          { value: 'AD', label: t('Active Directory') },
        ]}
        value={idpSelection}
        onChange={(selected: typeof idpSelection) => onChange({ idpSelection: selected })}
      />
      {idpSelection === 'Built-in' && builtIn}
      {idpSelection === 'OpenID' && (
        <WizardFields
          fields={oidcFields}
          values={openID}
          problems={problems}
          onChange={(part) => onChange({ openID: { ...openID, ...part } })}
        />
      )}
      {idpSelection === 'AD' && (
        <>
          <DirectoryFields
            values={activeDirectory}
            problems={problems}
            onChange={(part) => onChange({ activeDirectory: { ...activeDirectory, ...part } })}
          />
          {directoryMore}
        </>
      )}
    </>
  )
}

interface DirectoryFieldsProps {
  values: ActiveDirectory
  problems: FieldProblems
  onChange: (part: Partial<ActiveDirectory>) => void
}

/** The fields for the directory's address, and for the search of users and groups. */
function DirectoryFields({ values, problems, onChange }: DirectoryFieldsProps) {
  const t = useT()
  const toggle = (label: string, key: 'skip_tls_verification' | 'server_insecure' | 'server_start_tls') => (
    <SwitchField
      label={label}
      checked={values[key]}
      onChange={(event) => onChange({ [key]: event.currentTarget.checked })}
    />
  )
  return (
    <>
      <WizardFields fields={AD_FIELDS} values={values} problems={problems} onChange={onChange} />
      {toggle(t('Skip TLS Verification'), 'skip_tls_verification')}
      {toggle(t('Server Insecure'), 'server_insecure')}
      {values.server_insecure && (
        <Banner kind="warn">{t('Warning: All traffic with Active Directory will be unencrypted')}</Banner>
      )}
      {toggle(t('Start TLS connection to AD/LDAP server'), 'server_start_tls')}
    </>
  )
}
