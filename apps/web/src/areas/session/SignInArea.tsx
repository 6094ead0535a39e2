import { Button, Loader } from '@mantine/core'
import type { LoginStrategy } from '@stowage/contract'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useT } from '../../lib/text/i18n.ts'
import { Icon } from '../../ui/icons/Icon.tsx'
import { Logo } from '../../ui/icons/Logo.tsx'
import { FormSignIn } from './FormSignIn.tsx'
import { JwtSignIn } from './JwtSignIn.tsx'
import css from './LoginPage.module.css'
import type { SignIn } from './sign-in.ts'

interface SignInAreaProps {
  /** Undefined until the console has responded. */
  strategy: LoginStrategy | undefined
  unreachable: boolean
  onRetry: () => void
  signIn: SignIn
}

/** The right half of the sign-in page: the form or link for the configured kind of sign-in. */
export function SignInArea({ strategy, unreachable, onRetry, signIn }: SignInAreaProps) {
  const t = useT()
  const [withKey, setWithKey] = useState(false)
  const known = strategy && strategy.loginStrategy !== 'unknown' ? strategy : undefined
  const isOperator = known?.loginStrategy === 'service-account' || known?.operator === true
  return (
    <div className={css.form}>
      <Logo height={22} operator={isOperator} />
      {unreachable ? (
        <div className={css.stack} role="alert">
          <p>{t('An error has ocurred, the backend cannot be reached.')}</p>
          <Button leftSection={<Icon of={IconRefresh} />} onClick={onRetry} className={css.left ?? ''}>
            {t('Retry')}
          </Button>
        </div>
      ) : known === undefined ? (
        <div className={css.wait}>
          <Loader size={28} role="status" aria-label={t('Loading...')} />
        </div>
      ) : known.tenant ? (
        <>
          <SignInHeading text={known.tenant.name} server={known.tenant.namespace} />
          <Button component="a" href={safeRedirect(known.redirect)} variant="filled" size="lg">
            {t('Open the tenant again')}
          </Button>
        </>
      ) : known.loginStrategy === 'form' ? (
        <>
          <SignInHeading text={t('Console Login')} server={known.server} />
          <FormSignIn signIn={signIn} hasDirectory={known.directory === true} />
        </>
      ) : known.loginStrategy === 'redirect' ? (
        <>
          <SignInHeading text={isOperator ? t('Operator Login') : t('Welcome')} server={known.server} />
          <Button component="a" href={safeRedirect(known.redirect)} variant="filled" size="lg">
            {t('Login with SSO')}
          </Button>
          {(known.redirectRules ?? []).slice(1).map(({ redirect, displayName }) => (
            <Button key={redirect} component="a" href={safeRedirect(redirect)} size="lg">
              {t('Login with {{name}}', { name: displayName })}
            </Button>
          ))}
          {!withKey ? (
            <Button variant="subtle" onClick={() => setWithKey(true)}>
              {isOperator ? t('Use a JWT') : t('Use an access key')}
            </Button>
          ) : isOperator ? (
            <JwtSignIn signIn={signIn} />
          ) : (
            <FormSignIn signIn={signIn} hasDirectory={known.directory === true} />
          )}
        </>
      ) : (
        <>
          <SignInHeading text={t('Operator Login')} server={known.server} />
          <JwtSignIn signIn={signIn} />
        </>
      )}
    </div>
  )
}

function SignInHeading({ text, server }: { text: string; server: string | undefined }) {
  return (
    <div>
      <h1 className={css.heading}>{text}</h1>
      {server !== undefined && <p className="mono ink-2">{server}</p>}
    </div>
  )
}

/** Returns the identity provider's address if it is an HTTP URL, and otherwise `#`. */
export function safeRedirect(address: string): string {
  try {
    const url = new URL(address, document.baseURI)
    return /^https?:$/.test(url.protocol) ? url.href : '#'
  } catch {
    // Not a URL: the link has no effect.
    return '#'
  }
}
