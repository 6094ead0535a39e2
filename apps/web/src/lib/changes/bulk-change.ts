import type { Input } from '@stowage/contract'
import { useEffect, useRef, useState } from 'react'
import { call } from '../api/api.ts'
import { toast } from '../feedback/toast.ts'
import { type ChangeOperation, readChanged } from './change.ts'

/** The result for one item; undefined while its call has not been made. */
export type BulkResult = { state: 'done' } | { state: 'failed'; error: unknown } | undefined

interface BulkChangeOptions<O extends ChangeOperation> {
  operation: O
  /** Returns the input of the call for one item. */
  input: (name: string) => Input<O>
  /** Returns the text of the snackbar; `count` is the number of items that succeeded. */
  message: (count: number) => string
  /** Called if all calls succeeded. */
  onDone: () => void
}

export interface BulkChange {
  phase: 'asking' | 'running' | 'ended'
  outcomes: ReadonlyMap<string, BulkResult>
  run: (names: readonly string[]) => Promise<void>
  /** Stops before the next call. */
  stop: () => void
}

/** Makes one change after the other and keeps the result of each. Unmounting stops it. */
export function useBulkChange<O extends ChangeOperation>({
  operation,
  input,
  message,
  onDone,
}: BulkChangeOptions<O>): BulkChange {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, BulkResult>>(new Map())
  const [phase, setPhase] = useState<BulkChange['phase']>('asking')
  const stopped = useRef(new AbortController())
  const running = useRef(false)
  useEffect(() => {
    stopped.current = new AbortController()
    return () => stopped.current.abort()
  }, [])

  const run = async (names: readonly string[]) => {
    // `phase` is rendered some time later, and two clicks may arrive before.
    if (running.current) return
    running.current = true
    const { signal } = stopped.current
    setPhase('running')
    const results = new Map<string, BulkResult>()
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
    running.current = false
    setPhase('ended')
    const done = [...results.values()].filter((outcome) => outcome?.state === 'done').length
    if (done === names.length) onDone()
    if (done > 0) toast.ok(message(done))
    void readChanged(operation)
  }
  return { phase, outcomes, run, stop: () => stopped.current.abort() }
}
