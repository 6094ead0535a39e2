import { useEffect, useId } from 'react'
import { createStore, useStore } from '../../lib/store.ts'

// Separate from `Dialog.tsx`, which imports Mantine's dialog: this module is in the first chunk.

/** The IDs of the open dialogs, the topmost last. */
const open = createStore<readonly string[]>([])

export const isDialogOpen = () => open.get().length > 0

/** Registers an open dialog while the component is mounted. @returns whether it is the topmost */
export function useOpenDialog(): boolean {
  const id = useId()
  useEffect(() => {
    open.set((ids) => [...ids, id])
    return () => open.set((ids) => ids.filter((one) => one !== id))
  }, [id])
  return useStore(open).at(-1) === id
}
