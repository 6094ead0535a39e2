import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../../lib/session/session.ts'
import { type Draft, newDraft, type Section, type Step, updated } from './draft.ts'
import { draftStore } from './kept-draft.ts'
import { useFacts } from './use-facts.ts'

/** Returns the draft of the user, which is stored in this browser during input, and information of the cluster about it. */
export function useWizard() {
  const { user, server } = useSession()
  const [store] = useState(() => draftStore(user ?? '', server ?? ''))
  const [kept, setKept] = useState(() => store.read())
  const [draft, setDraft] = useState<Draft>(() => kept?.draft ?? newDraft())
  const facts = useFacts(draft)
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
    if (wanted !== chosen) setDraft((before) => updated(before, 'nameTenant', { selectedStorageClass: wanted }))
  }, [wanted, chosen])

  return {
    draft,
    /** Changes when the user starts over. */
    start,
    facts,
    /** When the restored draft was last changed, ms since 1970. */
    keptAt: kept?.at,
    set: <S extends Section>(section: S, part: Partial<Draft[S]>) =>
      setDraft((before) => updated(before, section, part)),
    goTo: (page: Step) => setDraft((before) => ({ ...before, page })),
    setAdvanced: (advancedModeOn: boolean) => setDraft((before) => ({ ...before, advancedModeOn })),
    /** Starts over, with a given draft or the defaults. */
    reset: (next: Draft = newDraft()) => {
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
