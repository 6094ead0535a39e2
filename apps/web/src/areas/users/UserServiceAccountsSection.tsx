import css from '../policies/policies.module.css'
import { AccessKeys } from '../service-accounts/AccessKeys.tsx'

/** The service accounts of a user. */
export function UserServiceAccountsSection({ user }: { user: string }) {
  return (
    <div className={css.section}>
      <AccessKeys user={user} />
    </div>
  )
}
