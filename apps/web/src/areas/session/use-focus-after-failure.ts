import { type RefObject, useEffect, useRef } from 'react'
import type { SignIn } from './sign-in.ts'

/** A field that has the focus again after an attempt that failed: while one runs no field can have it. */
export function useFocusAfterFailure({ isPending, failed }: SignIn): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (failed && !isPending) field.current?.focus()
  }, [failed, isPending])
  return field
}
