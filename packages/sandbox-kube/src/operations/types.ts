import type { Caller, Kind } from '../kinds/kind.ts'
import type { StoredObject } from '../object.ts'

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict'

/** The target of a call. */
export interface Target {
  readonly kind: Kind
  readonly namespace: string | undefined
  readonly name: string
  readonly subresource?: string | undefined
  readonly caller: Caller
}

export interface WriteOptions {
  readonly dryRun: boolean
  readonly fieldValidation: FieldValidation
  /** Sends a warning to the client with the answer. */
  warn(text: string): void
}

export interface DeleteOptions {
  readonly dryRun: boolean
  readonly propagation?: string | undefined
  readonly graceSeconds?: number | undefined
  readonly preconditions?: { uid?: string; resourceVersion?: string } | undefined
}

export type Deleted = { readonly gone: boolean; readonly object: StoredObject }
