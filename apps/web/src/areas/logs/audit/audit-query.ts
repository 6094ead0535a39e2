import type { Input } from '@stowage/contract'
import { parseLocalTimeField } from '../../../lib/text/date-fields.ts'
import { type Message, msg } from '../../../lib/text/message.ts'

/** The number of records per page. */
const AUDIT_PAGE = 100

export type AuditFilterField =
  | 'bucket'
  | 'api_name'
  | 'user_agent'
  | 'object'
  | 'request_id'
  | 'response_status'
  | 'user'

/** The filters, in the order of the page. */
export const auditFilterFields: readonly { field: AuditFilterField; label: Message }[] = [
  { field: 'bucket', label: msg('Bucket') },
  { field: 'api_name', label: msg('API Name') },
  { field: 'user_agent', label: msg('User Agent') },
  { field: 'object', label: msg('Object') },
  { field: 'request_id', label: msg('Request ID') },
  { field: 'response_status', label: msg('Response Status') },
  { field: 'user', label: msg('User') },
]

/** The values of the filters. Times are local, as in the browser's date and time fields. */
export type AuditFilters = Partial<Record<AuditFilterField | 'timeStart' | 'timeEnd', string>>

/** Returns the query that selects the filtered records, for all calls about audit records. */
export function auditFilterQuery(filters: AuditFilters): NonNullable<Input<'summarizeLogs'>['query']> {
  const fp = auditFilterFields.flatMap(({ field }) => (filters[field] ? [`${field}:${filters[field]}`] : []))
  const [timeStart, timeEnd] = [filters.timeStart, filters.timeEnd].map((text) => parseLocalTimeField(text ?? ''))
  return { fp, ...(timeStart === undefined ? {} : { timeStart }), ...(timeEnd === undefined ? {} : { timeEnd }) }
}

export const auditOrder = (order: string | undefined) => (order === 'timeAsc' ? 'timeAsc' : 'timeDesc')

/** The number of a page, and the cursor by which it is found: later records do not move it. */
export interface AuditPageParam {
  page: number
  cursor?: string
}

export function auditQuery(
  filters: AuditFilters,
  order: string,
  { page, cursor }: AuditPageParam,
): NonNullable<Input<'searchLogs'>['query']> {
  return {
    q: 'reqinfo',
    ...auditFilterQuery(filters),
    pageSize: AUDIT_PAGE,
    pageNo: page,
    order: auditOrder(order),
    ...(cursor && { cursor }),
  }
}

/** Returns a pattern that matches only this value. */
export const exactPattern = (value: string) => value.replace(/[\\*.]/g, '\\$&')
