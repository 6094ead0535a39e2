import { Outlet } from '@tanstack/react-router'
import { Activity, useEffect, useLayoutEffect, useState } from 'react'
import { type SignedOut, signedOut } from '../lib/api/signed-out.ts'
import { consoleAddress } from '../lib/base-path.ts'
import { openConfirmation } from '../lib/feedback/confirm.ts'
import { browserHistory } from '../lib/navigation/navigate.ts'
import { openExplanation } from '../lib/session/access-explanation.ts'
import { rememberCurrentPath, userEpoch } from '../lib/session/session.ts'
import { useStore } from '../lib/store.ts'
import { useTransferSession } from '../transfers/transfer-session.ts'
import { loadable, loadableDialog } from '../ui/lazy/loadable.tsx'
import { Toasts } from './Toasts.tsx'

const Tray = loadable(async () => (await import('../transfers/tray/Tray.tsx')).Tray)
const SignInAgain = loadable(async () => (await import('../areas/session/LoginPage.tsx')).LoginPage)
const ConfirmDialog = loadableDialog(
  async () => (await import('../ui/dialog/ConfirmDialog.tsx')).ConfirmDialog,
  () => openConfirmation.set(undefined),
)
const AccessExplanationDialog = loadableDialog(
  async () => (await import('../ui/dialog/AccessExplanationDialog.tsx')).AccessExplanationDialog,
  () => openExplanation.set(undefined),
)

/**
 * The page, the parts above all pages (transfers, snackbars), and the sign-in page that covers them when the session is lost.
 * The covered page is hidden, not unmounted, so that its input is still there after sign-in.
 */
export function Root() {
  const lost = useStore(signedOut)
  const sign = useStore(userEpoch)
  const question = useStore(openConfirmation)
  const right = useStore(openExplanation)
  useLoginAddress(lost)
  // From here on, pages show their own loading state.
  useLayoutEffect(() => document.getElementById('boot')?.remove(), [])
  // Loaded ahead: when it is needed, the console may be unreachable.
  useEffect(() => void SignInAgain.preload(), [])
  return (
    <>
      <Activity mode={lost ? 'hidden' : 'visible'}>
        <Outlet key={sign} />
        {question && <ConfirmDialog question={question} />}
        {right && <AccessExplanationDialog right={right} />}
      </Activity>
      {lost && <SignInAgain />}
      <Transfers />
      <Toasts />
    </>
  )
}

/** The transfers, from the first sign-in on: after a sign-out they are held, and continue after the next sign-in. */
function Transfers() {
  const session = useTransferSession()
  const [isUsed, setUsed] = useState(false)
  if (session && !isUsed) setUsed(true)
  return isUsed && <Tray />
}

/** Shows `/login` in the address bar while the sign-in page covers another page, and that page's address afterwards. */
function useLoginAddress(lost: SignedOut) {
  const over = lost !== undefined
  useLayoutEffect(() => {
    if (!over) return
    rememberCurrentPath()
    const { href } = browserHistory.location
    document.documentElement.dataset.signedOut = ''
    // Bypasses the router, which watches `window.history.replaceState` and would leave the covered page.
    const show = (url: string) => History.prototype.replaceState.call(window.history, window.history.state, '', url)
    show(consoleAddress('/login'))
    return () => {
      delete document.documentElement.dataset.signedOut
      if (window.location.pathname === consoleAddress('/login')) show(href)
    }
  }, [over])
}
