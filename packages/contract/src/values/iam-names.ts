import { z } from 'zod'
import { withReason } from '../reasons/issue-reason.ts'
import { reason } from '../reasons/reason.ts'

/** The name of a user, group or policy, or an access key. The storage server validates the rest. */
export const iamName = z
  .string()
  .min(1)
  .max(1024)
  .refine((text) => text.trim() !== '', withReason(reason('required'), 'should not be blank'))

/** A list of names. Blank ones are removed, because clients of the original console send `[""]` for an empty list. */
export const iamNames = z
  .array(z.string().max(1024))
  .max(10_000)
  .transform((all) => [...new Set(all.filter((text) => text.trim() !== ''))])

export const iamNameQuery = z.object({ name: iamName })

export const enabledStatus = z.enum(['enabled', 'disabled'])

/** A secret key, with the minimum length that servers accept. */
export const newSecretKey = z
  .string()
  .min(1)
  .max(1024)
  .refine((text) => text.length >= 8, withReason(reason('password-too-short'), 'should be at least 8 chars long'))
