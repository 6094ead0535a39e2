import { useT } from '../../../lib/text/i18n.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { SegmentField } from '../../../ui/form/SegmentField.tsx'
import { SwitchField } from '../../../ui/form/SwitchField.tsx'
import { type Draft, randomKey } from './draft.ts'
import { Fields, Rows, type StepProps } from './Fields.tsx'
import { AD, OIDC } from './fields.ts'

/** The step for the identity provider of the tenant. */
export function IdpStep({ draft: { identityProvider }, set, problems }: StepProps) {
  const t = useT()
  const { idpSelection, accessKeys, secretKeys, openID } = identityProvider
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
        onChange={(selected: typeof idpSelection) => set('identityProvider', { idpSelection: selected })}
      />
      {idpSelection === 'Built-in' && (
        <Rows
          columns={[
            { label: t('Access Key'), values: accessKeys, name: 'accessKeys' },
            { label: t('Secret Key'), values: secretKeys, name: 'secretKeys' },
          ]}
          add={t('Add Key')}
          problems={problems}
          make={() => [randomKey(16), randomKey(32)]}
          onChange={([access = [], secret = []]) => set('identityProvider', { accessKeys: access, secretKeys: secret })}
        />
      )}
      {idpSelection === 'OpenID' && (
        <Fields
          fields={OIDC}
          values={openID}
          problems={problems}
          onChange={(part) => set('identityProvider', { openID: { ...openID, ...part } })}
        />
      )}
      {idpSelection === 'AD' && <Directory {...{ identityProvider, set, problems }} />}
    </>
  )
}

export type ActiveDirectory = Draft['identityProvider']['activeDirectory']
type DirectoryProps = Pick<StepProps, 'set' | 'problems'> & Pick<Draft, 'identityProvider'>

/** The directory (LDAP) as identity provider. */
function Directory({ identityProvider: { activeDirectory, userDNs }, set, problems }: DirectoryProps) {
  const t = useT()
  return (
    <>
      <DirectoryFields
        values={activeDirectory}
        problems={problems}
        onChange={(part) => set('identityProvider', { activeDirectory: { ...activeDirectory, ...part } })}
      />
      <Rows
        columns={[{ label: t('User DN of an administrator'), values: userDNs, name: 'userDNs' }]}
        add={t('Add DN')}
        problems={problems}
        onChange={([dns = []]) => set('identityProvider', { userDNs: dns })}
      />
    </>
  )
}

interface DirectoryFieldsProps {
  values: ActiveDirectory
  problems: StepProps['problems']
  onChange: (part: Partial<ActiveDirectory>) => void
}

/** The fields for the directory's address, and for the search of users and groups. */
export function DirectoryFields({ values, problems, onChange }: DirectoryFieldsProps) {
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
