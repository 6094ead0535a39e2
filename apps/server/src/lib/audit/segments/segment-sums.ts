import type { AuditField } from '@stowage/contract/logs/audit'
import { type AuditRecord, TOOL_AGENT } from '../records/audit-record.ts'
import { createAuditMatcher, groupPatterns } from '../search/audit-match.ts'
import type { AuditCount, AuditSelection } from '../search/audit-source.ts'
import { chooseTimeStep } from '../search/time-steps.ts'
import { decodeLine, encodeLine } from './record-lines.ts'

/** Maximum length of a segment's sums (characters). A segment with more different values has none, and its records are read. */
const MAX_SUMS_LENGTH = 1 << 20

/** Maximum length of an interval (seconds). */
const MAX_STEP = 60

/** The texts that the records of a group have in common: what a summary counts, and what its usual filters compare. */
const TEXTS = ['source', 'api', 'bucket', 'user', 'accessKey', 'status'] as const satisfies (keyof AuditRecord)[]
const FILTERS: ReadonlySet<AuditField> = new Set(['source', 'api_name', 'bucket', 'user', 'response_status'])

/** In the form of their line. */
export interface SegmentSums {
  /** Length of an interval (seconds). */
  step: number
  texts: string[]
  /** The places of TEXTS in `texts`; the status code; 1 for calls that the console makes by itself; pairs of an interval and its count. */
  groups: number[][]
}

/** Whether sums can answer which records are selected, except for the time. */
export function canCountBySums({ filters, requests, after }: AuditSelection): boolean {
  return !requests && !after && [...groupPatterns(filters).keys()].every((field) => FILTERS.has(field))
}

/** Returns the counts of a selection that contains all times of the segment. */
export function selectCounts({ step, texts, groups }: SegmentSums, selection: AuditSelection): AuditCount[] {
  const isWanted = createAuditMatcher({ ...selection, from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY })
  const counts: AuditCount[] = []
  // There may be as many groups as records, so one object serves for all of them.
  const example = { ...NO_RECORD }
  for (const group of groups) {
    for (const [i, name] of TEXTS.entries()) example[name] = texts[group[i] ?? -1] ?? ''
    example.statusCode = group[TEXTS.length] ?? 0
    example.userAgent = group[TEXTS.length + 1] ? TOOL_AGENT : ''
    if (!isWanted(example)) continue
    const { user, bucket, api, statusCode } = example
    for (let i = TEXTS.length + 2; i < group.length; i += 2) {
      const at = (group[i] ?? 0) * step * 1000
      counts.push({ at, step, user, bucket, api, statusCode, count: group[i + 1] ?? 0 })
    }
  }
  return counts
}

/** Counts the records of a segment by what they have in common and by time, so that a summary needs not read them. */
export class SegmentSumsBuilder {
  /** What the records of a group have in common, and their numbers by second. */
  readonly #groups = new Map<string, { values: (string | number)[]; seconds: Map<number, number> }>()

  add(record: AuditRecord): void {
    const isTool = record.userAgent.startsWith(TOOL_AGENT)
    const values = [...TEXTS.map((name) => record[name]), record.statusCode, isTool ? 1 : 0]
    const key = JSON.stringify(values)
    const { seconds } = this.#groups.get(key) ?? this.#begin(key, values)
    const second = Math.floor(record.at / 1000)
    seconds.set(second, (seconds.get(second) ?? 0) + 1)
  }

  #begin(key: string, values: (string | number)[]) {
    const group = { values, seconds: new Map<number, number>() }
    this.#groups.set(key, group)
    return group
  }

  /** The sums so far, with intervals of a second. */
  sums(): SegmentSums {
    return this.#sumsWith(1)
  }

  /** The line of all sums; undefined if it would be too long. */
  line(): string | undefined {
    let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (const { seconds } of this.#groups.values())
      for (const second of seconds.keys()) [first, last] = [Math.min(first, second), Math.max(last, second)]
    // A summary of all records has no shorter ones. That of a filter could have, if its records are of a shorter time.
    const step = Math.min(MAX_STEP, chooseTimeStep(Math.max(0, last - first)))
    const line = encodeLine(JSON.stringify({ sums: this.#sumsWith(step) }))
    return line.length > MAX_SUMS_LENGTH ? undefined : line
  }

  #sumsWith(step: number): SegmentSums {
    const texts = new Map<string, number>()
    const textIndex = (text: string) => texts.get(text) ?? texts.set(text, texts.size).size - 1
    const groups = [...this.#groups.values()].map(({ values, seconds }) => {
      const counts = new Map<number, number>()
      for (const [second, count] of seconds) {
        const at = Math.floor(second / step)
        counts.set(at, (counts.get(at) ?? 0) + count)
      }
      return [...values.map((value) => (typeof value === 'string' ? textIndex(value) : value)), ...[...counts].flat()]
    })
    return { step, texts: [...texts.keys()], groups }
  }
}

/** Reads such a line; undefined if it is damaged. */
export function readSums(line: Buffer): SegmentSums | undefined {
  const json = decodeLine(line.subarray(0, -1))
  return json && (JSON.parse(json.toString()) as { sums: SegmentSums }).sums
}

const NO_RECORD: AuditRecord = {
  id: '',
  source: '',
  at: 0,
  time: '',
  api: '',
  bucket: '',
  object: '',
  status: '',
  statusCode: 0,
  remoteHost: '',
  requestId: '',
  userAgent: '',
  accessKey: '',
  user: '',
  consoleRequest: '',
  duration: 0,
  bytesIn: null,
  bytesOut: null,
  raw: {},
}
