import { SegmentedControl } from '@mantine/core'
import { useT } from '../../lib/text/i18n.ts'

/** What the user signs in with: an access key of the storage server, or an account of its directory. */
export type Account = 'key' | 'directory'

interface AccountChoiceProps {
  value: Account
  disabled: boolean
  onChange: (account: Account) => void
}

/** Decides where the password is sent: it must never reach the other place. */
export function AccountChoice({ value, disabled, onChange }: AccountChoiceProps) {
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
