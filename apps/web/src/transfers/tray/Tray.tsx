import { useEffect } from 'react'
import { signedOut } from '../../lib/api/signed-out.ts'
import { useStore } from '../../lib/store.ts'
import { loadableDialog } from '../../ui/lazy/loadable.tsx'
import { useTransferSession } from '../transfer-session.ts'
import { hasBusyTransfers, setTransferOwner, transferOwner } from '../transfers.ts'
import { useTransfers } from './use-transfers.ts'

const TrayPanel = loadableDialog(async () => (await import('./TrayPanel.tsx')).TrayPanel)
const ExistingObjectDialog = loadableDialog(
  async () => (await import('./ExistingObjectDialog.tsx')).ExistingObjectDialog,
)

/** The transfers of the signed-in user, above all pages. Its code is loaded with the first transfer. */
export function Tray() {
  const session = useTransferSession()
  const over = useStore(signedOut) !== undefined
  const owner = session && transferOwner(session)
  const { list, summary } = useTransfers(owner)
  useEffect(() => setTransferOwner(owner), [owner])
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (hasBusyTransfers()) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [])
  if (list.length === 0 || over) return null
  return (
    <>
      <TrayPanel list={list} summary={summary} />
      {list.some(({ state }) => state === 'asking') && <ExistingObjectDialog list={list} />}
    </>
  )
}
