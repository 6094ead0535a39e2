import { asFlag, asList, asNumber, asText, asTime, pickMember } from '../transport/json-values.ts'
import { MadminError } from '../transport/madmin-error.ts'
import { type AdminCallOptions, parseAnswerJson, type Transport } from '../transport/transport.ts'

export interface ConfigHelp {
  readonly subsystem: string
  readonly description: string
  /** Whether there can be several targets, each with a name. */
  readonly multipleTargets: boolean
  readonly keys: readonly ConfigKeyHelp[]
}

export interface ConfigKeyHelp {
  readonly key: string
  /** `on|off`, `number`, `csv`, `url` … */
  readonly type: string
  readonly description: string
  readonly optional: boolean
  readonly multipleTargets: boolean
}

export interface ConfigChangeResult {
  /** Whether the change takes effect only after a restart. */
  readonly restart: boolean
}

export interface ConfigHistoryEntry {
  readonly id: string
  /** RFC 3339. */
  readonly time: string | undefined
  /** Text of the change; MinIO includes secrets. */
  readonly data: string
  /** Only on servers that record it. */
  readonly user: string | undefined
}

/**
 * Returns the keys of a subsystem, or the subsystems if the name is empty. Needs `admin:ConfigUpdate`, as all calls here.
 * @throws MadminError XMinioConfigError for an unknown subsystem
 */
export async function configHelp(t: Transport, subsystem: string, options?: AdminCallOptions): Promise<ConfigHelp> {
  const query = { subSys: subsystem, key: '' }
  const answer = await t.call({ method: 'GET', path: 'help-config-kv', query, ...options })
  return {
    subsystem,
    description: asText(pickMember(answer, 'description')),
    multipleTargets: asFlag(pickMember(answer, 'multipleTargets')),
    keys: asList(pickMember(answer, 'keysHelp')).map((key) => ({
      key: asText(pickMember(key, 'key')),
      type: asText(pickMember(key, 'type')),
      description: asText(pickMember(key, 'description')),
      optional: asFlag(pickMember(key, 'optional')),
      multipleTargets: asFlag(pickMember(key, 'multipleTargets')),
    })),
  }
}

/**
 * Returns the text of a subsystem: one line per target. MinIO leaves out secrets that are set; servers of 2021 include them.
 * @param key `subsystem`, `subsystem:` for the default target, or `subsystem:target`
 * @throws MadminError XMinioConfigError
 */
export async function getConfig(t: Transport, key: string, options?: AdminCallOptions): Promise<string> {
  return (await t.text({ method: 'GET', path: 'get-config-kv', query: { key }, ...options })).text
}

/**
 * Sets the keys in a line. MinIO contacts notification targets and webhooks before it stores them.
 * @throws MadminError XMinioConfigError, XMinioAdminConfigBadJSON with the reason
 */
export async function setConfig(t: Transport, line: string, options?: AdminCallOptions): Promise<ConfigChangeResult> {
  return readConfigChange(await t.text({ method: 'PUT', path: 'set-config-kv', sealedText: line, ...options }))
}

export interface AdminConfigProblem {
  /** `subsystem` or `subsystem:target`. */
  readonly target: string
  readonly message: string
}

/**
 * Returns the errors that `setConfig` would report, at most one per line, without changing anything. A call of our own store.
 * @returns undefined if the server does not have the call
 */
export async function checkConfig(
  t: Transport,
  text: string,
  options?: AdminCallOptions,
): Promise<AdminConfigProblem[] | undefined> {
  try {
    const answer = await t.call({ method: 'PUT', path: 'check-config-kv', sealedText: text, ...options })
    return asList(pickMember(answer, 'problems')).map((problem) => ({
      target: asText(pickMember(problem, 'target')),
      message: asText(pickMember(problem, 'message')),
    }))
  } catch (error) {
    if (error instanceof MadminError && error.isMissingCall) return undefined
    throw error
  }
}

/**
 * Resets a target, or some of its keys, to the default. Servers of 2021 only reset whole targets: the keys are set to an empty
 * value there, which such servers refuse for numbers.
 * @param line `subsystem[:target] [key …]`
 * @throws MadminError XMinioConfigNotFoundError
 */
export async function deleteConfig(
  t: Transport,
  line: string,
  options?: AdminCallOptions,
): Promise<ConfigChangeResult> {
  const call = { method: 'DELETE', path: 'del-config-kv', sealedText: line, idempotent: false, ...options } as const
  try {
    return readConfigChange(await t.text(call))
  } catch (error) {
    const [target = '', ...keys] = line.split(' ')
    const isOld = error instanceof MadminError && error.message.includes('invalid number of arguments')
    if (!isOld || keys.length === 0) throw error
    return await setConfig(t, [target, ...keys.map((key) => `${key}=`)].join(' '), options)
  }
}

/** Returns the full configuration. MinIO includes all secrets. */
export async function getFullConfig(t: Transport, options?: AdminCallOptions): Promise<string> {
  return (await t.text({ method: 'GET', path: 'config', ...options })).text
}

/** Replaces the full configuration. On MinIO it takes effect only after a restart. */
export async function setFullConfig(
  t: Transport,
  text: string,
  options?: AdminCallOptions,
): Promise<ConfigChangeResult> {
  return readConfigChange(await t.text({ method: 'PUT', path: 'config', sealedText: text, ...options }))
}

/** A large limit, because servers cut a list in the order of random IDs, so that a short list is not the newest part. */
const ALL = '1000000'

/** Lists the changes, oldest first. @param options.seconds only the changes of this time, by the clock of the server */
export async function listConfigHistory(
  t: Transport,
  { seconds, ...options }: AdminCallOptions & { seconds?: number } = {},
): Promise<ConfigHistoryEntry[]> {
  const query = { count: ALL }
  const { text, headers } = await t.text({ method: 'GET', path: 'list-config-history-kv', query, ...options })
  const now = Date.parse(String(headers.date)) || Date.now()
  const since = seconds === undefined ? -Infinity : now - seconds * 1000
  return asList(parseAnswerJson(text, 200))
    .map((entry) => ({
      id: asText(pickMember(entry, 'restoreId', 'RestoreID')),
      time: asTime(pickMember(entry, 'createTime', 'CreateTime')),
      data: asText(pickMember(entry, 'data', 'Data')),
      user: asText(pickMember(entry, 'user')) || undefined,
    }))
    .filter(({ time }) => since === -Infinity || Date.parse(time ?? '') >= since)
    .sort((a, b) => Date.parse(a.time ?? '') - Date.parse(b.time ?? ''))
}

/** @throws MadminError XMinioConfigError (MinIO) or XMinioConfigNotFoundError for an unknown entry */
export async function restoreConfigHistory(
  t: Transport,
  id: string,
  options?: AdminCallOptions,
): Promise<ConfigChangeResult> {
  const query = { restoreId: id }
  return readConfigChange(await t.text({ method: 'PUT', path: 'restore-config-history-kv', query, ...options }))
}

/** @param id of an entry, or `all` */
export async function clearConfigHistory(t: Transport, id: string, options?: AdminCallOptions): Promise<void> {
  await t.call({ method: 'DELETE', path: 'clear-config-history-kv', query: { restoreId: id }, ...options })
}

function readConfigChange({ headers }: { headers: Readonly<Record<string, unknown>> }): ConfigChangeResult {
  return { restart: headers['x-minio-config-applied'] !== 'true' }
}

export interface NotificationTest {
  readonly sent: boolean
  /** Milliseconds. */
  readonly duration: number
  /** The target's error message, if it has not accepted the event. */
  readonly reason: string | undefined
}

/**
 * Sends a test event to a target, even if it is disabled. A call of our own store.
 * @param target `notify_kafka:primary`
 * @returns undefined if the server does not have the call
 * @throws MadminError XMinioConfigError if there is no such target
 */
export async function testNotificationTarget(
  t: Transport,
  target: string,
  options?: AdminCallOptions,
): Promise<NotificationTest | undefined> {
  try {
    const call = { method: 'POST', path: 'test-notification-target', query: { target }, idempotent: false } as const
    const answer = await t.call({ ...call, ...options })
    return {
      sent: pickMember(answer, 'sent') === true,
      duration: asNumber(pickMember(answer, 'duration')) ?? 0,
      reason: asText(pickMember(answer, 'reason')) || undefined,
    }
  } catch (error) {
    if (error instanceof MadminError && error.isMissingCall) return undefined
    throw error
  }
}
