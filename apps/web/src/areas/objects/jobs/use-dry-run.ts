import type { ApiError, JobLine } from '@stowage/contract'
import { useEffect, useRef, useState } from 'react'
import { ApiFailure, asFailure } from '../../../lib/api/api-failure.ts'

export type DryRunReport = Extract<JobLine, { done: true }>

interface DryRun {
  /** The number of objects checked so far; undefined while nothing runs. */
  checked: number | undefined
  report: DryRunReport | undefined
  error: ApiFailure | null
}

const NOTHING: DryRun = { checked: undefined, report: undefined, error: null }

/** Runs a job as a dry run. Closing the dialog stops it; call `clear` to discard the result when the form changes. */
export function useDryRun() {
  const [state, setState] = useState(NOTHING)
  const control = useRef<AbortController>(undefined)
  const clear = () => {
    control.current?.abort()
    setState(NOTHING)
  }
  useEffect(() => () => control.current?.abort(), [])
  const check = async (call: (signal: AbortSignal) => AsyncIterable<JobLine>) => {
    control.current?.abort()
    const mine = new AbortController()
    control.current = mine
    setState({ ...NOTHING, checked: 0 })
    try {
      for await (const line of call(mine.signal)) {
        if (mine.signal.aborted) return
        if ('done' in line) setState({ ...NOTHING, report: line })
        else if ('stopped' in line) throw new ApiFailure(line.stopped.code, line.stopped as Partial<ApiError>)
        else setState({ ...NOTHING, checked: line.count + line.skipped + line.failed })
      }
    } catch (error) {
      if (!mine.signal.aborted) setState({ ...NOTHING, error: asFailure(error) })
    }
  }
  return { ...state, check, clear }
}
