import { Button, TextInput } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useT } from '../../lib/text/i18n.ts'
import { Icon } from '../../ui/icons/Icon.tsx'
import { ProgressBar } from '../../ui/values/Gauge.tsx'
import css from './LoginPage.module.css'
import type { SignIn } from './sign-in.ts'
import { useFocusAfterFailure } from './use-focus-after-failure.ts'

/** The form with the JWT of a service account, for operator mode. */
export function JwtSignIn({ signIn }: { signIn: SignIn }) {
  const t = useT()
  const [jwt, setJwt] = useState('')
  const { isPending: busy } = signIn
  const field = useFocusAfterFailure(signIn)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy || jwt.trim() === '') return
    signIn.run({ jwt: jwt.trim() })
  }
  return (
    <form className={css.stack} onSubmit={submit}>
      <TextInput
        ref={field}
        label={t('JWT')}
        name="jwt"
        type="password"
        required
        withAsterisk={false}
        autoComplete="off"
        autoFocus
        disabled={busy}
        value={jwt}
        onChange={(event) => setJwt(event.currentTarget.value)}
        leftSection={<Icon of={IconKey} />}
        classNames={{ input: css.field ?? '' }}
      />
      <div className={css.submit}>
        <Button type="submit" variant="filled" size="lg" fullWidth disabled={busy || jwt.trim() === ''}>
          {t('Login')}
        </Button>
        {busy && <ProgressBar share={undefined} label={t('Signing in')} />}
      </div>
    </form>
  )
}
