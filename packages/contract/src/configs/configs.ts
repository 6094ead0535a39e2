import { z } from 'zod'
import { createOnly } from '../call/create-only.ts'
import { listSchema, routes } from '../call/route.ts'
import { configEndpoints } from './endpoints.ts'

const name = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/)
const params = z.object({ name })
/** The name of a target; absent for the default target. */
export const targetName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)

const KeyValue = z.object({ key: z.string(), value: z.string().optional() })

const ConfigValue = KeyValue.extend({
  /** From the server's help. */
  type: z.string().optional(),
  description: z.string().optional(),
  /** Whether the value, or a password in it, is withheld. */
  secret: z.boolean().optional(),
  /** Whether a secret has a value, if the server reports it. */
  isSet: z.boolean().optional(),
  /** The environment variable that sets the key; it then cannot be changed here. */
  variable: z.string().optional(),
  /** Whether the server does not have this key. */
  unsupported: z.boolean().optional(),
})
export type ConfigValue = z.infer<typeof ConfigValue>

const ConfigTarget = z.object({
  /** `_` for the default target. */
  target: z.string(),
  enabled: z.boolean(),
  /** Whether the server applies it at its next restart. */
  waiting: z.boolean().optional(),
  key_values: listSchema(ConfigValue),
  /** Problems that the server reports. */
  notes: listSchema(z.string()),
  /** Changes whenever the target changes; used for `version` in `setConfig`. */
  version: z.string(),
})
export type ConfigTarget = z.infer<typeof ConfigTarget>

const restart = z.object({
  /** Whether the change takes effect only after a restart. */
  restart: z.boolean(),
})

/** Configuration text in Base64. */
const importText = z.base64().min(1)

const ImportChange = z.object({
  name: z.string(),
  /** `_` for the default target. */
  target: z.string(),
  /** `remove` applies to targets that are missing in the text, and only on request. */
  action: z.enum(['add', 'change', 'remove']),
  /** Only changed keys, with empty values for secrets. */
  key_values: listSchema(
    z.object({ key: z.string(), before: z.string(), after: z.string(), secret: z.boolean().optional() }),
  ),
})
export type ImportChange = z.infer<typeof ImportChange>

const ImportProblem = z.object({
  name: z.string(),
  target: z.string(),
  key: z.string().optional(),
  /** In English, or as the server wrote it. */
  message: z.string(),
  reason: z
    .object({ id: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])).optional() })
    .optional(),
})
export type ImportProblem = z.infer<typeof ImportProblem>

export const configCalls = routes(configEndpoints, {
  listConfigs: {
    summary: 'The subsystems that can be configured',
    response: z.object({
      configurations: listSchema(z.object({ key: z.string(), description: z.string(), multipleTargets: z.boolean() })),
      total: z.number(),
    }),
  },
  getConfig: {
    summary: 'The configuration of a subsystem: its default target, and all targets',
    params,
    response: z.object({
      name: z.string(),
      /** Of the default target. */
      key_values: listSchema(ConfigValue),
      targets: listSchema(ConfigTarget),
      multipleTargets: z.boolean(),
      /** False for a subsystem of the original console that this server does not have. */
      supported: z.boolean(),
    }),
  },
  setConfig: {
    summary: 'Change keys of a target; an empty value resets a key to its default',
    params,
    body: z.object({
      key_values: z
        .array(z.object({ key: z.string().min(1).max(64), value: z.string().default('') }))
        .min(1)
        .max(200),
      arn_resource_id: targetName.optional(),
      /** The version that was read. If the target has changed since, the response is 409. */
      version: z.string().optional(),
      ...createOnly,
    }),
    response: restart,
  },
  resetConfig: {
    summary: 'Reset a target to its defaults; a named target is removed',
    params,
    body: z.object({
      arn_resource_id: targetName.optional(),
      /** The version that was read. If the target has changed since, the response is 409. */
      version: z.string().optional(),
    }),
    response: restart,
  },
  exportConfigs: {
    summary: 'The whole configuration as text in Base64; secrets are included on request only',
    query: z.object({ secrets: z.enum(['true', 'false']).optional() }),
    response: z.object({ value: z.string() }),
  },
  previewConfigImport: {
    summary: 'Preview an import: what it would change, and what prevents it',
    body: z.object({ value: importText }),
    response: z.object({
      changes: listSchema(ImportChange),
      problems: listSchema(ImportProblem),
      /** Changes whenever the configuration changes; used for `version` in `importConfigs`. */
      version: z.string(),
    }),
  },
  importConfigs: {
    summary: 'Import an exported configuration; targets, keys and secrets that it does not contain are not changed',
    body: z.object({
      value: importText,
      /** Also removes named targets that are missing in the text. */
      remove: z.boolean().optional(),
      /** The version from the preview. If the configuration has changed since, the response is 409. */
      version: z.string().optional(),
    }),
    response: restart,
  },
  listConfigHistory: {
    summary: 'The changes of the configuration, newest first, without secrets',
    response: z.object({
      entries: listSchema(
        z.object({
          id: z.string(),
          time: z.string().optional(),
          user: z.string().optional(),
          /** The values that were set, by target. */
          changes: listSchema(z.object({ name: z.string(), target: z.string(), key_values: listSchema(KeyValue) })),
        }),
      ),
    }),
  },
  clearConfigHistory: { summary: 'Delete the history of the configuration' },
  restoreConfigHistory: {
    summary: 'Restore the values that an earlier change of the configuration set',
    params: z.object({ id: z.string().min(1).max(128) }),
    response: restart.extend({
      /** Targets that had been reset: they are back without the secrets that they may have had, because no history has them. */
      without_secrets: listSchema(z.object({ name: z.string(), target: z.string(), keys: z.array(z.string()) })),
    }),
  },
  restartService: {
    summary: 'Restart the storage server, and wait until it responds',
    body: z.object({}).nullish(),
  },
})
