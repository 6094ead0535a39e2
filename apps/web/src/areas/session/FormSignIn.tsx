import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconEye, IconEyeOff, IconKey, IconLock, IconUser, IconX } from '@tabler/icons-react'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { useT } from '../../lib/text/i18n.ts'
import { Icon } from '../../ui/icons/Icon.tsx'
import { loadable } from '../../ui/lazy/loadable.tsx'
import { ProgressBar } from '../../ui/values/Gauge.tsx'
import type { AccountKind } from './AccountKindSelect.tsx'
import css from './LoginPage.module.css'
import type { SignIn } from './sign-in.ts'
import { useFocusAfterFailure } from './use-focus-after-failure.ts'

/** Loaded only for servers with a directory, to keep its controls out of the sign-in page's code. */
const AccountKindSelect = loadable(() => import('./AccountKindSelect.tsx').then((part) => part.AccountKindSelect))

interface FormSignInProps {
  signIn: SignIn
  /** Whether the storage server has a user directory (LDAP). */
  hasDirectory: boolean
}

/** The form with user name and password. The input is kept after a failure. */
export function FormSignIn({ signIn, hasDirectory }: FormSignInProps) {
  const t = useT()
  const [accessKey, setAccessKey] = useState('')
  const [secretKey, setSecretKey] = useState('')
  const [account, setAccount] = useState<AccountKind>('key')
  // Undefined while the session token field is hidden; permanent keys have none.
  const [token, setToken] = useState<string>()
  const [seen, setSeen] = useState(false)
  const [caps, setCaps] = useState(false)
  const { isPending: busy } = signIn
  const field = useFocusAfterFailure(signIn)
  const inDirectory = hasDirectory && account === 'directory'
  const ready = !busy && accessKey !== '' && secretKey !== '' && (inDirectory || token?.trim() !== '')

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!ready) return
    if (inDirectory) signIn.run({ accessKey, secretKey, directory: true })
    else signIn.run({ accessKey, secretKey, ...(token === undefined ? {} : { sts: token.trim() }) })
  }
  const watchCaps = (event: KeyboardEvent) => setCaps(event.getModifierState('CapsLock'))

  return (
    <form className={css.stack} onSubmit={submit}>
      {hasDirectory && <AccountKindSelect value={account} disabled={busy} onChange={setAccount} />}
      <TextInput
        label={t('Enter Username')}
        name="accessKey"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        disabled={busy}
        value={accessKey}
        onChange={(event) => setAccessKey(event.currentTarget.value)}
        leftSection={<Icon of={IconUser} />}
        classNames={{ input: css.field ?? '' }}
      />
      <TextInput
        ref={field}
        label={t('Enter Password')}
        name="secretKey"
        type={seen ? 'text' : 'password'}
        autoComplete="current-password"
        disabled={busy}
        value={secretKey}
        onChange={(event) => setSecretKey(event.currentTarget.value)}
        onKeyUp={watchCaps}
        onBlur={() => setCaps(false)}
        description={caps ? t('Caps Lock is on') : undefined}
        leftSection={<Icon of={IconLock} />}
        rightSection={
          <ActionIcon
            aria-label={seen ? t('Hide password') : t('Show password')}
            aria-pressed={seen}
            disabled={busy}
            onClick={() => setSeen(!seen)}
          >
            <Icon of={seen ? IconEyeOff : IconEye} />
          </ActionIcon>
        }
        classNames={{ input: css.field ?? '' }}
      />
      {!inDirectory &&
        (token === undefined ? (
          <Button variant="subtle" size="compact-sm" className={css.left ?? ''} onClick={() => setToken('')}>
            {t('Add a session token')}
          </Button>
        ) : (
          <TextInput
            label={t('Session Token')}
            description={t('Temporary keys come with one. Leave the field out for the keys of a user.')}
            name="sts"
            autoComplete="off"
            spellCheck={false}
            autoFocus
            disabled={busy}
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
            leftSection={<Icon of={IconKey} />}
            rightSection={
              <ActionIcon
                aria-label={t('Remove the session token')}
                disabled={busy}
                onClick={() => setToken(undefined)}
              >
                <Icon of={IconX} />
              </ActionIcon>
            }
            classNames={{ input: css.field ?? '' }}
          />
        ))}
      <div className={css.submit}>
        <Button type="submit" variant="filled" size="lg" fullWidth disabled={!ready}>
          {t('Login')}
        </Button>
        {busy && <ProgressBar share={undefined} label={t('Signing in')} />}
      </div>
    </form>
  )
}
