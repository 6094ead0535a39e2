import type { ReactNode } from 'react'
import { useT } from '../../lib/text/i18n.ts'
import { Banner } from '../../ui/Banner.tsx'
import { SegmentField } from '../../ui/form/SegmentField.tsx'
import { SwitchField } from '../../ui/form/SwitchField.tsx'
import type { Draft } from './wizard/draft.ts'
import { Fields } from './wizard/Fields.tsx'
import { AD, OIDC } from './wizard/fields.ts'
import type { Problems } from './wizard/problems.ts'

export type IdentityProvider = Pick<Draft['identityProvider'], 'idpSelection' | 'openID' | 'activeDirectory'>
type ActiveDirectory = IdentityProvider['activeDirectory']

interface IdentityProviderFieldsProps {
  values: IdentityProvider
  problems: Problems
  /** The OpenID fields to show. Default: all. */
  oidcFields?: typeof OIDC
  /** What to show for the tenant's own users. */
  builtIn: ReactNode
  /** What to show below the fields of a directory. */
  directoryMore?: ReactNode
  onChange: (part: Partial<IdentityProvider>) => void
}

/** The choice of a tenant's identity provider, with its fields. */
export function IdentityProviderFields({
  values: { idpSelection, openID, activeDirectory },
  problems,
  oidcFields = OIDC,
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
        <Fields
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
  problems: Problems
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
      <Fields fields={AD} values={values} problems={problems} onChange={onChange} />
      {toggle(t('Skip TLS Verification'), 'skip_tls_verification')}
      {toggle(t('Server Insecure'), 'server_insecure')}
      {values.server_insecure && (
        <Banner kind="warn">{t('Warning: All traffic with Active Directory will be unencrypted')}</Banner>
      )}
      {toggle(t('Start TLS connection to AD/LDAP server'), 'server_start_tls')}
    </>
  )
}
