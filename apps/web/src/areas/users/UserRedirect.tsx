import { useEffect } from 'react'
import { navigate } from '../../lib/navigation/navigate.ts'
import { pathTo } from '../../lib/navigation/pages.ts'

/** Redirects `/users/a/b` to the page of the user `a/b`, whose address has the slash encoded. */
export function UserRedirect({ user, _splat }: { user: string; _splat: string }) {
  const name = `${user}/${_splat}`
  useEffect(() => navigate(pathTo('/users/$user/groups', { user: name }), { replace: true }), [name])
  return null
}
