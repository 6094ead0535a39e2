import { useEffect, useId } from 'react'
import { createStore, useStore } from '../lib/store.ts'

// Apart from `Dialog.tsx`, which brings Mantine's dialog: who asks is in the first chunk.

/** The dialogs that are open, the uppermost last. */
const open = createStore<readonly string[]>([])

export const isDialogOpen = () => open.get().length > 0

/** Counts as an open dialog while it is mounted. @returns whether it is the uppermost */
export function useOpenDialog(): boolean {
  const id = useId()
  useEffect(() => {
    open.set((ids) => [...ids, id])
    return () => open.set((ids) => ids.filter((one) => one !== id))
  }, [id])
  return useStore(open).at(-1) === id
}
