import { Button } from '@mantine/core'
import type { Session } from '@stowage/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { asFailure } from '../../lib/api/api.ts'
import { q, queryClient } from '../../lib/api/query.ts'
import { signedOut } from '../../lib/api/signed-out.ts'
import { usePageTitle } from '../../lib/navigation/page-title.ts'
import { clearSessionCache, logout, resumeSession, signOutUnconfirmed } from '../../lib/session/session.ts'
import { useStore } from '../../lib/store.ts'
import { useT } from '../../lib/text/i18n.ts'
import { whileBusy } from '../../ui/controls/while-busy.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { LoginBanner } from './LoginBanner.tsx'
import css from './LoginPage.module.css'
import { SignInArea } from './SignInArea.tsx'
import { SignInFooter } from './SignInFooter.tsx'
import { SignInPicture } from './SignInPicture.tsx'
import { signInWith } from './sign-in.ts'

/** Retry interval while the console is unreachable (ms). */
const RETRY_MS = 3000

/** Explains why the sign-in page covers the current page. */
function SessionEnded() {
  const t = useT()
  const user = queryClient.getQueryData<Session>(['getSession', {}])?.user
  return (
    <div className={css.banner}>
      <Banner kind="info" title={t('Your session has ended')}>
        {user === undefined
          ? t('Sign in to go on where you were. What you typed is kept.')
          : t('Sign in as {{user}} to go on where you were. What you typed is kept.', { user })}
      </Banner>
    </div>
  )
}

/** Says that the last sign-out was not confirmed, and repeats it. */
function SignOutUnconfirmed() {
  const t = useT()
  const again = useMutation({ mutationFn: logout })
  return (
    <div className={css.banner}>
      <Banner
        kind="bad"
        title={t('You may still be signed in')}
        action={
          <Button size="compact-sm" variant="default" {...whileBusy(again.isPending)} onClick={() => again.mutate()}>
            {t('Sign out again')}
          </Button>
        }
      >
        {t('The console did not answer when you signed out. Anyone who uses this browser may continue as you.')}
      </Banner>
    </div>
  )
}

/** The sign-in page. It also covers a page whose session was lost. */
export function LoginPage() {
  const t = useT()
  const lost = useStore(signedOut)
  const unconfirmed = useStore(signOutUnconfirmed)
  const strategy = useQuery({
    ...q('getLoginStrategy', {}),
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state }) => (state.error ? RETRY_MS : false),
    refetchOnWindowFocus: false,
  })
  const signIn = useMutation({ mutationFn: signInWith })
  usePageTitle(t('Login'))

  useEffect(() => {
    if (!signedOut.get()) clearSessionCache()
  }, [])

  // The console was unreachable and responds again: the session may still be valid.
  const answers = strategy.isSuccess && !strategy.isFetching
  const waiting = lost?.reason === 'unreachable'
  useEffect(() => {
    if (waiting && answers) void resumeSession()
  }, [waiting, answers])

  return (
    <main className={css.login}>
      <div className={css.column}>
        {unconfirmed && <SignOutUnconfirmed />}
        {lost?.reason === 'expired' && !signIn.error && <SessionEnded />}
        {signIn.error && <LoginBanner failure={asFailure(signIn.error)} onClose={signIn.reset} />}
        <div className={css.card}>
          <div className={css.art}>
            <SignInPicture />
          </div>
          <SignInArea
            strategy={strategy.data}
            unreachable={strategy.isError || (waiting && !answers && strategy.failureCount > 0)}
            onRetry={() => void strategy.refetch()}
            signIn={{ run: signIn.mutate, isPending: signIn.isPending, failed: signIn.isError }}
          />
        </div>
        <SignInFooter answers={strategy.isSuccess} />
      </div>
    </main>
  )
}
