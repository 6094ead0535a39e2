import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../../lib/session/session.ts'
import { draftStore } from './draft/stored-draft.ts'
import {
  type DraftSection,
  newTenantDraft,
  type TenantDraft,
  updateDraft,
  type WizardStep,
} from './draft/tenant-draft.ts'
import { useClusterFacts } from './draft/use-cluster-facts.ts'

/** Returns the draft of the user, which is stored in this browser during input, and information of the cluster about it. */
export function useTenantWizard() {
  const { user, server } = useSession()
  const [store] = useState(() => draftStore(user ?? '', server ?? ''))
  const [kept, setKept] = useState(() => store.read())
  const [draft, setDraft] = useState<TenantDraft>(() => kept?.draft ?? newTenantDraft())
  const facts = useClusterFacts(draft)
  const written = useRef(draft)
  const [start, setStart] = useState(0)

  useEffect(() => {
    // An unchanged draft is not stored.
    if (written.current === draft) return
    written.current = draft
    store.write(draft)
  }, [draft, store])

  // Selects the first class until the user selects another, or if the namespace does not have the selected one.
  const { classes } = facts
  const chosen = draft.nameTenant.selectedStorageClass
  const wanted = classes.length === 0 || classes.some(({ name }) => name === chosen) ? chosen : (classes[0]?.name ?? '')
  useEffect(() => {
    if (wanted !== chosen) setDraft((before) => updateDraft(before, 'nameTenant', { selectedStorageClass: wanted }))
  }, [wanted, chosen])

  return {
    draft,
    /** Changes when the user starts over. */
    start,
    facts,
    /** When the restored draft was last changed, ms since 1970. */
    keptAt: kept?.at,
    set: <S extends DraftSection>(section: S, part: Partial<TenantDraft[S]>) =>
      setDraft((before) => updateDraft(before, section, part)),
    goTo: (page: WizardStep) => setDraft((before) => ({ ...before, page })),
    setAdvanced: (advancedModeOn: boolean) => setDraft((before) => ({ ...before, advancedModeOn })),
    /** Starts over, with a given draft or the defaults. */
    reset: (next: TenantDraft = newTenantDraft()) => {
      setKept(undefined)
      written.current = next
      store.forget()
      setDraft(next)
      setStart((before) => before + 1)
    },
    /** Call after the tenant was created. */
    forget: () => store.forget(),
  }
}
