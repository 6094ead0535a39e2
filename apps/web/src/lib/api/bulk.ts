import type { Input } from '@stowage/contract'
import { useEffect, useRef, useState } from 'react'
import { toast } from '../feedback/toast.ts'
import { call } from './api.ts'
import { type ChangeOperation, readChanged } from './change.ts'

/** What became of one of the things: undefined until its turn came. */
export type Outcome = { state: 'done' } | { state: 'failed'; error: unknown } | undefined

interface BulkOptions<O extends ChangeOperation> {
  operation: O
  /** The call for one of them. */
  input: (name: string) => Input<O>
  /** The snackbar; `count` of them are done. */
  message: (count: number) => string
  /** Every one is done. */
  onDone: () => void
}

export interface Bulk {
  phase: 'asking' | 'running' | 'ended'
  outcomes: ReadonlyMap<string, Outcome>
  run: (names: readonly string[]) => Promise<void>
  /** No further call is made. */
  stop: () => void
}

/** Makes one change after the other, and keeps what became of each. Leaving stops it. */
export function useBulk<O extends ChangeOperation>({ operation, input, message, onDone }: BulkOptions<O>): Bulk {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [phase, setPhase] = useState<Bulk['phase']>('asking')
  const stopped = useRef(new AbortController())
  useEffect(() => {
    stopped.current = new AbortController()
    return () => stopped.current.abort()
  }, [])

  const run = async (names: readonly string[]) => {
    const { signal } = stopped.current
    setPhase('running')
    const results = new Map<string, Outcome>()
    for (const name of names) {
      if (signal.aborted) break
      try {
        await call(operation, { ...input(name), signal })
        results.set(name, { state: 'done' })
      } catch (error) {
        if (!signal.aborted) results.set(name, { state: 'failed', error })
      }
      setOutcomes(new Map(results))
    }
    setPhase('ended')
    const done = [...results.values()].filter((outcome) => outcome?.state === 'done').length
    if (done === names.length) onDone()
    if (done > 0) toast.ok(message(done))
    void readChanged(operation)
  }
  return { phase, outcomes, run, stop: () => stopped.current.abort() }
}
