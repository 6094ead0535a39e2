import { SegmentedControl } from '@mantine/core'
import { useT } from '../../lib/text/i18n.ts'

/** The kind of sign-in: an access key of the storage server, or an account of its directory (LDAP). */
export type AccountKind = 'key' | 'directory'

interface AccountKindSelectProps {
  value: AccountKind
  disabled: boolean
  onChange: (account: AccountKind) => void
}

/** Selects the kind of account, which decides where the password is sent. It must never be sent to the other place. */
export function AccountKindSelect({ value, disabled, onChange }: AccountKindSelectProps) {
  const t = useT()
  return (
    <SegmentedControl
      aria-label={t('Account')}
      fullWidth
      disabled={disabled}
      value={value}
      onChange={onChange}
      data={[
        { value: 'key', label: t('Access key') },
        { value: 'directory', label: t('Directory') },
      ]}
    />
  )
}
