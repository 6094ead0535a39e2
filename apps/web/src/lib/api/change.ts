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

/* The one way to change something on the server: `useChange` for a form, `change` for a question, `BulkDialog` for a selection. */

/** A call that changes something. */
export type ChangeOperation = Exclude<Operation, ReadOperation>

/** What follows a change that succeeded. */
export interface ChangeOptions<O extends ChangeOperation> {
  /** Runs first, before anything is read again: closes the dialog, leaves the page of what is gone. */
  onDone?: (answer: Output<O>, input: Input<O>) => void
  /** The snackbar. */
  message?: (answer: Output<O>, input: Input<O>) => string
}

/** Reads again what a call has changed, as its entry in the contract says. */
export function readChanged(operation: ChangeOperation): Promise<void> {
  const { changes }: Endpoint = endpoints[operation]
  // `joinEndpoints` of the contract checks the names.
  return invalidate(...(changes as readonly ReadOperation[]))
}

/** Makes a change. It resolves at once: what the call changed is read again in the background. @throws ApiFailure */
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

/** A change that a form makes; `FormModal` takes it and shows its failure. */
export interface Change<O extends ChangeOperation = ChangeOperation> {
  run: (input: Input<O>) => void
  isPending: boolean
  /** Why the last attempt failed. */
  error: ApiFailure | null
  /** Forgets the failure. */
  reset: () => void
}

/** A change for a component, with its state. */
export function useChange<O extends ChangeOperation>(operation: O, options: ChangeOptions<O> = {}): Change<O> {
  const { mutate, isPending, error, reset } = useMutation<Output<O>, ApiFailure, Input<O>>({
    mutationFn: (input) => change(operation, input, options),
  })
  return { run: mutate, isPending, error, reset }
}
