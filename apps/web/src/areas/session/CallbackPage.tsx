import { Button } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { asFailure, call } from '../../lib/api/api.ts'
import { toast } from '../../lib/feedback/toast.ts'
import { navigate } from '../../lib/navigation/navigate.ts'
import { usePageTitle } from '../../lib/navigation/page-title.ts'
import { continueAfterSignIn } from '../../lib/session/session.ts'
import { useT } from '../../lib/text/i18n.ts'
import { Link } from '../../ui/controls/Link.tsx'
import { SlowNotice } from '../../ui/feedback/states.tsx'
import { Logo } from '../../ui/icons/Logo.tsx'
import css from './LoginPage.module.css'
import { SignInPicture } from './SignInPicture.tsx'

/** The page `/oauth_callback`, which an identity provider redirects to. */
export function CallbackPage() {
  const t = useT()
  const search = useLocation({ select: ({ searchStr }) => searchStr })
  const params = new URLSearchParams(search)
  const errors = [params.get('error'), params.get('error_description')].filter(Boolean)
  const failed = errors.length > 0
  usePageTitle(t('Login'))
  const begun = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a code can be used only once, so this must run only once
  useEffect(() => {
    if (failed || begun.current) return
    begun.current = true
    const iss = params.get('iss')
    const body = { code: params.get('code') ?? '', state: params.get('state') ?? '', ...(iss === null ? {} : { iss }) }
    call('loginOauth2', { body })
      .then(continueAfterSignIn)
      .catch((failure: unknown) => {
        const { errorMessage, detailedError } = asFailure(failure)
        toast.error(errorMessage, detailedError)
        navigate('/login', { replace: true })
      })
  }, [])

  return (
    <main className={css.login}>
      <div className={css.column}>
        <div className={css.card}>
          <div className={css.art}>
            <SignInPicture />
          </div>
          <div className={css.form}>
            <Logo height={22} />
            {failed ? (
              <div role="alert">
                <h1 className={css.heading}>{t('IDP Error:')}</h1>
                {errors.map((text) => (
                  <p key={text} className="ink-2">
                    {text}
                  </p>
                ))}
              </div>
            ) : (
              <SlowNotice />
            )}
            <Button component={Link} to="/login" className={css.left ?? ''}>
              {t('Back to Login')}
            </Button>
          </div>
        </div>
      </div>
    </main>
  )
}
