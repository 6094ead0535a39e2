import { type RefObject, useEffect, useRef } from 'react'
import type { SignIn } from './sign-in.ts'

/** Returns a ref to a field that takes the focus after a failed attempt, because it loses it while it is disabled. */
export function useFocusAfterFailure({ isPending, failed }: SignIn): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (failed && !isPending) field.current?.focus()
  }, [failed, isPending])
  return field
}
