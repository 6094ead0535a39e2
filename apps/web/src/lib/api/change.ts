import {
  type Endpoint,
  endpoints,
  type Input,
  type Operation,
  type Output,
  type ReadOperation,
} from '@stowage/contract'
import { useMutation } from '@tanstack/react-query'
import { toast } from '../feedback/toast.ts'
import { type ApiFailure, call } from './api.ts'
import { invalidate } from './query.ts'

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
export interface Change<O extends ChangeOperation = ChangeOperation> {
  run: (input: Input<O>) => void
  isPending: boolean
  /** The error of the last attempt. */
  error: ApiFailure | null
  /** Clears the error. */
  reset: () => void
}

/** Returns a change and its state, for a component. */
export function useChange<O extends ChangeOperation>(operation: O, options: ChangeOptions<O> = {}): Change<O> {
  const { mutate, isPending, error, reset } = useMutation<Output<O>, ApiFailure, Input<O>>({
    mutationFn: (input) => change(operation, input, options),
  })
  return { run: mutate, isPending, error, reset }
}
