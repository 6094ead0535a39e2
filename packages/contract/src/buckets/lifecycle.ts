import { z } from 'zod'
import { createOnly } from '../call/create-only.ts'
import { listSchema, routes } from '../call/route.ts'
import { withReason } from '../reasons/issue-reason.ts'
import { reason } from '../reasons/reason.ts'
import { bucketParams } from './bucket-params.ts'
import { bucketEndpoints } from './endpoints.ts'

/** The value of an unset date. */
export const NO_LIFECYCLE_DATE = '0001-01-01T00:00:00Z'

const LifecycleRule = z.object({
  id: z.string(),
  prefix: z.string(),
  /** `Enabled` or `Disabled`. */
  status: z.string(),
  tags: listSchema(z.object({ key: z.string(), value: z.string() })),
  /** Dates are the last second of a day: the rule acts at the following midnight (UTC). */
  expiration: z.object({
    date: z.string(),
    days: z.number(),
    delete_marker: z.boolean(),
    delete_all: z.boolean(),
    noncurrent_expiration_days: z.number(),
    newer_noncurrent_expiration_versions: z.number(),
    /** Age in days at which a delete marker is deleted together with all older versions; 0 for never. */
    delete_marker_days: z.number(),
    /** Age in days at which an unfinished upload is deleted; 0 for never. */
    abort_upload_days: z.number(),
  }),
  transition: z.object({
    date: z.string(),
    days: z.number(),
    storage_class: z.string(),
    noncurrent_transition_days: z.number(),
    noncurrent_storage_class: z.string(),
  }),
  /** Bytes; 0 for no limit. */
  size_greater_than: z.number(),
  size_less_than: z.number(),
})
export type LifecycleRule = z.infer<typeof LifecycleRule>

/** A calendar date, with or without a time: `2030-03-31T23:59:59Z`. */
const date = z
  .string()
  .refine((text) => text === '' || isDay(text), withReason(reason('not-a-date'), 'is not a date of the calendar'))

/** Reports whether a date is valid; `Date` would accept 31 February as 3 March. */
function isDay(text: string): boolean {
  const [, day] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d:\d\d(\.\d+)?Z)?$/.exec(text) ?? []
  const read = new Date(`${day}T00:00:00Z`)
  return day !== undefined && !Number.isNaN(read.getTime()) && read.toISOString().slice(0, 10) === day
}

const days = z.number().int().min(0).max(36_500)
const count = z.number().int().nonnegative()

const ruleFields = {
  /** Sent by the original frontend. Not used: the other fields determine the type. */
  type: z.enum(['expiry', 'transition']).optional(),
  prefix: z.string().max(1024).optional(),
  /** `key=value` pairs joined by `&`. */
  tags: z.string().optional(),
  expired_object_delete_marker: z.boolean().optional(),
  expired_object_delete_all: z.boolean().optional(),
  /** The end of the last day: `2030-03-31T23:59:59Z`. */
  expiry_date: date.optional(),
  expiry_days: days.optional(),
  transition_date: date.optional(),
  transition_days: days.optional(),
  /** The name of a tier. */
  storage_class: z.string().optional(),
  noncurrentversion_expiration_days: days.optional(),
  newer_noncurrentversion_expiration_versions: count.max(100_000).optional(),
  noncurrentversion_transition_days: days.optional(),
  noncurrentversion_transition_storage_class: z.string().optional(),
  /** Bytes; 0 for no limit. */
  size_greater_than: count.optional(),
  size_less_than: count.optional(),
  delete_marker_days: days.optional(),
  abort_upload_days: days.optional(),
}

const LifecycleBody = z.object({ ...ruleFields, disable: z.boolean().optional() })
export type LifecycleBody = z.infer<typeof LifecycleBody>

const VersionTotal = z.object({ versions: z.number(), bytes: z.number() })

const LifecycleSimulation = z.object({
  /** What the rule would do immediately. */
  due: VersionTotal,
  /** What the rule would do at any time, including `due`. */
  matched: VersionTotal,
  /** The first affected versions: those that are due, then the others in the order of their time. */
  first: z.array(
    z.object({
      key: z.string(),
      version_id: z.string(),
      bytes: z.number(),
      action: z.enum(['expire', 'remove', 'remove-all', 'transition']),
      /** RFC 3339. */
      due: z.string(),
      /** Protected by a retention or legal hold. */
      locked: z.boolean(),
    }),
  ),
  /** The number of due versions that a lock protects, and the number of those whose lock was not read. */
  locked: z.number(),
  locks_unchecked: z.number(),
  /** The number of versions examined, and whether these are all. */
  scanned: z.number(),
  complete: z.boolean(),
})
export type LifecycleSimulation = z.infer<typeof LifecycleSimulation>

const LifecycleForecast = z.object({
  /** The rule that acts next; null if no rule has anything to do. */
  next: z
    .object({
      rule_id: z.string(),
      action: z.enum(['expire', 'remove', 'remove-all', 'transition']),
      due: z.string(),
      versions: z.number(),
      bytes: z.number(),
    })
    .nullable(),
  scanned: z.number(),
  complete: z.boolean(),
  /** Set if the storage server does not trust its clock, in which case no rule acts until it is confirmed; otherwise null. */
  waiting: z.object({ expected: z.string(), found: z.string() }).nullable(),
})
export type LifecycleForecast = z.infer<typeof LifecycleForecast>

const ruleId = z.string().min(1).max(255)
const ruleParams = bucketParams.extend({ id: ruleId })

export const lifecycleCalls = routes(bucketEndpoints, {
  listLifecycleRules: {
    summary: 'The lifecycle rules of a bucket',
    params: bucketParams,
    response: z.object({ lifecycle: listSchema(LifecycleRule) }),
  },
  addLifecycleRule: {
    summary: 'Add a lifecycle rule',
    params: bucketParams,
    // With `create_only`, a rule that does the same to the same objects is not added again.
    body: LifecycleBody.extend(createOnly),
  },
  setLifecycleRule: {
    summary: 'Change a lifecycle rule; absent fields are not changed',
    params: ruleParams,
    body: LifecycleBody.extend({
      /** The rule that the change is based on, as `listLifecycleRules` returns it. If it has changed, the response is 409. */
      before: LifecycleRule.optional(),
    }),
  },
  deleteLifecycleRule: { summary: 'Delete a lifecycle rule', params: ruleParams },
  simulateLifecycleRule: {
    summary: 'Simulate a lifecycle rule, or a change of one, on a limited number of objects; nothing is changed',
    params: bucketParams,
    body: LifecycleBody.extend({
      /** The rule to change; absent fields are not changed. Without it, the rule is a new one. */
      id: ruleId.optional(),
    }),
    response: LifecycleSimulation,
  },
  getLifecycleForecast: {
    summary: 'The lifecycle rule of a bucket that acts next, and on how many objects, from a limited listing',
    params: bucketParams,
    response: LifecycleForecast,
  },
  confirmLifecycleClock: {
    summary: 'Confirm the clock of the storage server, so that lifecycle rules run again',
    body: z.object({}).nullish(),
  },
})
