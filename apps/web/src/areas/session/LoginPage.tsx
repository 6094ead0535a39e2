import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type ApiFailure, asFailure } from '../../lib/api/api.ts'
import { q } from '../../lib/api/query.ts'
import { signedOut } from '../../lib/api/signed-out.ts'
import { usePageTitle } from '../../lib/navigation/page-title.ts'
import { forgetAnswers, resume } from '../../lib/session/session.ts'
import { useStore } from '../../lib/store.ts'
import { useT } from '../../lib/text/i18n.ts'
import { LoginBanner } from './LoginBanner.tsx'
import css from './LoginPage.module.css'
import { Picture } from './Picture.tsx'
import { ServerLine } from './ServerLine.tsx'
import { SignInArea } from './SignInArea.tsx'

/** While the console does not answer it is asked again this often (ms). */
const RETRY_MS = 3000

/** The sign-in page; also laid over a page whose session was lost. */
export function LoginPage() {
  const t = useT()
  const lost = useStore(signedOut)
  const strategy = useQuery({
    ...q('getLoginStrategy', {}),
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state }) => (state.error ? RETRY_MS : false),
    refetchOnWindowFocus: false,
  })
  const [failure, setFailure] = useState<ApiFailure>()
  usePageTitle(t('Login'))

  useEffect(() => {
    if (!signedOut.get()) forgetAnswers()
  }, [])

  // The console was gone and answers again: perhaps nobody has to sign in.
  const answers = strategy.isSuccess && !strategy.isFetching
  const waiting = lost?.reason === 'unreachable'
  useEffect(() => {
    if (waiting && answers) void resume()
  }, [waiting, answers])

  const signIn = async (attempt: () => Promise<void>) => {
    setFailure(undefined)
    try {
      await attempt()
    } catch (error) {
      setFailure(asFailure(error))
    }
  }

  return (
    <main className={css.login}>
      <div className={css.column}>
        {failure && <LoginBanner failure={failure} onClose={() => setFailure(undefined)} />}
        <div className={css.card}>
          <div className={css.art}>
            <Picture />
          </div>
          <SignInArea
            strategy={strategy.data}
            unreachable={strategy.isError || (waiting && !answers && strategy.failureCount > 0)}
            onRetry={() => void strategy.refetch()}
            onSignIn={signIn}
          />
        </div>
        <ServerLine answers={strategy.isSuccess} />
      </div>
    </main>
  )
}
