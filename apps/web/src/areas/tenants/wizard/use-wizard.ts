import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../../lib/session/session.ts'
import { type Draft, newDraft, type Section, type Step, updated } from './draft.ts'
import { draftStore } from './kept-draft.ts'
import { useFacts } from './use-facts.ts'

/** The draft of the signed-in user, kept in this browser while it is typed, and what the cluster says about it. */
export function useWizard() {
  const { user, server } = useSession()
  const [store] = useState(() => draftStore(user ?? '', server ?? ''))
  const [kept, setKept] = useState(() => store.read())
  const [draft, setDraft] = useState<Draft>(() => kept?.draft ?? newDraft())
  const facts = useFacts(draft)
  const written = useRef(draft)

  useEffect(() => {
    // What nobody has changed is not kept.
    if (written.current === draft) return
    written.current = draft
    store.write(draft)
  }, [draft, store])

  // The first class is taken until another one is chosen, and where the namespace does not have the chosen one.
  const { classes } = facts
  const chosen = draft.nameTenant.selectedStorageClass
  const wanted = classes.length === 0 || classes.some(({ name }) => name === chosen) ? chosen : (classes[0]?.name ?? '')
  useEffect(() => {
    if (wanted !== chosen) setDraft((before) => updated(before, 'nameTenant', { selectedStorageClass: wanted }))
  }, [wanted, chosen])

  return {
    draft,
    facts,
    /** When the draft was left that is continued, in ms since 1970. */
    keptAt: kept?.at,
    set: <S extends Section>(section: S, part: Partial<Draft[S]>) =>
      setDraft((before) => updated(before, section, part)),
    goTo: (page: Step) => setDraft((before) => ({ ...before, page })),
    setAdvanced: (advancedModeOn: boolean) => setDraft((before) => ({ ...before, advancedModeOn })),
    /** Begins anew, from a draft or from the defaults. */
    reset: (start: Draft = newDraft()) => {
      setKept(undefined)
      written.current = start
      store.forget()
      setDraft(start)
    },
    /** The tenant is made. */
    forget: () => store.forget(),
  }
}
