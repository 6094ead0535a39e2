import type { KubeCaller, KubeKind } from '../kinds/kind.ts'
import type { SandboxObject } from '../object/stored-object.ts'

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict'

/** The target of a call. */
export interface OperationTarget {
  readonly kind: KubeKind
  readonly namespace: string | undefined
  readonly name: string
  readonly subresource?: string | undefined
  readonly caller: KubeCaller
}

export interface ObjectWriteOptions {
  readonly dryRun: boolean
  readonly fieldValidation: FieldValidation
  /** Sends a warning to the client with the answer. */
  warn(text: string): void
}

export interface ObjectDeleteOptions {
  readonly dryRun: boolean
  readonly propagation?: string | undefined
  readonly graceSeconds?: number | undefined
  readonly preconditions?: { uid?: string; resourceVersion?: string } | undefined
}

export type DeletionResult = { readonly gone: boolean; readonly object: SandboxObject }
