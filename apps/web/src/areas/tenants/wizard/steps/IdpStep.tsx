import { useT } from '../../../../lib/text/i18n.ts'
import { generateKey } from '../draft/tenant-draft.ts'
import { TextRows, type WizardStepProps } from '../fields/WizardFields.tsx'
import { IdentityProviderFields } from './IdentityProviderFields.tsx'

/** The step for the identity provider of the tenant. */
export function IdpStep({ draft: { identityProvider }, set, problems }: WizardStepProps) {
  const t = useT()
  const { accessKeys, secretKeys, userDNs } = identityProvider
  return (
    <IdentityProviderFields
      values={identityProvider}
      problems={problems}
      onChange={(part) => set('identityProvider', part)}
      builtIn={
        <TextRows
          columns={[
            { label: t('Access Key'), values: accessKeys, name: 'accessKeys' },
            { label: t('Secret Key'), values: secretKeys, name: 'secretKeys' },
          ]}
          add={t('Add Key')}
          problems={problems}
          make={() => [generateKey(16), generateKey(32)]}
          onChange={([access = [], secret = []]) => set('identityProvider', { accessKeys: access, secretKeys: secret })}
        />
      }
      directoryMore={
        <TextRows
          columns={[{ label: t('User DN of an administrator'), values: userDNs, name: 'userDNs', required: true }]}
          add={t('Add DN')}
          problems={problems}
          onChange={([dns = []]) => set('identityProvider', { userDNs: dns })}
        />
      }
    />
  )
}
