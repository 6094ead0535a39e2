import { useEffect, useRef, useState } from 'react'

/** Attempts to sign in: while one runs the form is out of use; then this field has the focus, for another attempt. */
export function useAttempt() {
  const [busy, setBusy] = useState(false)
  const tried = useRef(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (busy) tried.current = true
    else if (tried.current) field.current?.focus()
  }, [busy])
  const attempt = async (signIn: () => Promise<void>) => {
    setBusy(true)
    await signIn()
    setBusy(false)
  }
  return { busy, attempt, field }
}
