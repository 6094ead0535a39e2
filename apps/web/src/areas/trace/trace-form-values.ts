import type { Input, TraceKind } from '@stowage/contract'
import { createStore } from '../../lib/store.ts'

/** The unit of the threshold. */
export type ThresholdUnit = 'ns' | 'µs' | 'ms' | 's'

export interface TraceFormValues {
  status: string
  method: string
  name: string
  path: string
  threshold: number
  unit: ThresholdUnit
  kinds: readonly TraceKind[]
  onlyErrors: boolean
}

/** The four checkboxes on the page; the other kinds are listed under More. */
export const MAIN_TRACE_KINDS: readonly TraceKind[] = ['s3', 'internal', 'storage', 'os']
export const MORE_TRACE_KINDS: readonly TraceKind[] = [
  'scanner',
  'healing',
  'ilm',
  'kms',
  'batch-replication',
  'batch-keyrotation',
  'batch-expire',
  'replication-resync',
  'decommission',
  'rebalance',
  'bootstrap',
  'ftp',
  'formatting',
]

/** Kept when the page is left and opened again. */
export const traceFormValues = createStore<TraceFormValues>({
  status: '',
  method: '',
  name: '',
  path: '',
  threshold: 0,
  unit: 'ms',
  kinds: ['s3'],
  onlyErrors: false,
})

/** Returns the query of the call. */
export function traceQuery(chosen: TraceFormValues): NonNullable<Input<'trace'>['query']> {
  const { status, method, name, path, threshold, unit, kinds, onlyErrors } = chosen
  return {
    calls: kinds.join(','),
    threshold: `${threshold}${unit}`,
    onlyErrors: onlyErrors ? 'yes' : 'no',
    statusCode: status,
    method,
    funcname: name,
    path,
  }
}
