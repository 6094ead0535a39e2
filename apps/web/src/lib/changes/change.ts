import {
  type Endpoint,
  endpoints,
  type Input,
  type Operation,
  type Output,
  type ReadOperation,
} from '@stowage/contract'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { type ApiFailure, call } from '../api/api.ts'
import { invalidate } from '../api/query.ts'
import { toast } from '../feedback/toast.ts'

/* All changes on the server are made here: `useChange` for a form, `change` for a confirmation, `BulkDialog` for a
   selection. */

/** The name of a call that changes something. */
export type ChangeOperation = Exclude<Operation, ReadOperation>

/** What to do after a change succeeded. */
export interface ChangeOptions<O extends ChangeOperation> {
  /** Called first, before data are read again: closes the dialog, or leaves the page of a deleted resource. */
  onDone?: (answer: Output<O>, input: Input<O>) => void
  /** Returns the text of the snackbar. */
  message?: (answer: Output<O>, input: Input<O>) => string
}

/** Reads again what a call changed, according to `changes` in its contract entry. */
export function readChanged(operation: ChangeOperation): Promise<void> {
  const { changes }: Endpoint = endpoints[operation]
  // `joinEndpoints` of the contract checks these names.
  return invalidate(...(changes as readonly ReadOperation[]))
}

/**
 * Makes a change. Resolves when the call has succeeded; the changed data are read again in the background. @throws ApiFailure
 */
export async function change<O extends ChangeOperation>(
  operation: O,
  input: Input<O>,
  { onDone, message }: ChangeOptions<O> = {},
): Promise<Output<O>> {
  const answer = await call(operation, { ...input, signal: undefined })
  onDone?.(answer, input)
  if (message) toast.ok(message(answer, input))
  void readChanged(operation)
  return answer
}

/** The change that a form makes. `FormModal` shows its error. */
export interface FormChange<O extends ChangeOperation = ChangeOperation> {
  run: (input: Input<O>) => void
  isPending: boolean
  /** The error of the last attempt. */
  error: ApiFailure | null
  /** Clears the error. */
  reset: () => void
}

/** Returns a change and its state, for a component. A second press while the same call runs is ignored. */
export function useChange<O extends ChangeOperation>(operation: O, options: ChangeOptions<O> = {}): FormChange<O> {
  // `isPending` is rendered some time later, and two clicks may arrive before.
  const running = useRef(new Set<string>())
  const { mutate, isPending, error, reset } = useMutation<Output<O>, ApiFailure, Input<O>>({
    mutationFn: async (input) => {
      try {
        return await change(operation, input, options)
      } finally {
        running.current.delete(JSON.stringify(input))
      }
    },
  })
  const run = (input: Input<O>) => {
    const sent = JSON.stringify(input)
    if (running.current.has(sent)) return
    running.current.add(sent)
    mutate(input)
  }
  // Resetting would detach this state from a call that runs.
  const clear = () => {
    if (running.current.size === 0) reset()
  }
  return { run, isPending, error, reset: clear }
}
