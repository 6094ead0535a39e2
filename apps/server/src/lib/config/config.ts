import { resolve } from 'node:path'
import { type EgressRules, egressRules } from '@stowage/egress'
import { z } from 'zod'
import { DEFAULT_REGION, settingsLines, storeSettings } from '../program/store-parts.ts'
import { nearest } from './nearest.ts'
import { consoleSettings, ORIGINAL_NAMES, SECRET_SETTINGS } from './settings.ts'

const shape = { ...consoleSettings, ...storeSettings }
const schema = z.object(shape).refine((s) => (s.STOWAGE_TLS_CERT === undefined) === (s.STOWAGE_TLS_KEY === undefined), {
  path: ['STOWAGE_TLS_CERT'],
  error: 'must be given together with STOWAGE_TLS_KEY',
})

/** The settings as read: names of the environment, values of their types. */
type Settings = z.infer<typeof schema>

type Environment = Readonly<Record<string, string | undefined>>

/** What the console runs with. */
export interface Config {
  host: string
  port: number
  /** The storage server; absent when the embedded store is to be started. */
  server: URL | undefined
  /** Absolute path of the data folder. */
  data: string
  region: string
  sessionSeconds: number
  /** What session keys are made of, the sealing one first; absent when the data folder keeps one. */
  secrets: readonly string[] | undefined
  /** How many proxies stand in front whose `X-Forwarded-*` headers are believed. */
  proxies: number
  publicUrl: URL | undefined
  tls: { certFile: string; keyFile: string } | undefined
  /** Further certificate authorities of the storage server. */
  caFile: string | undefined
  /** Settings that were read and could be better, a line for a person each. */
  warnings: readonly string[]
  /** Where addresses that people type may lead. */
  egress: EgressRules
  logLevel: Settings['STOWAGE_LOG_LEVEL']
  /** Whether answers are checked against the contract: in tests and in development. */
  checkAnswers: boolean
  /** What the embedded store is started with; read by that alone. */
  store: {
    environment: Environment
    host: string
    /** As given; what is left open is generated and kept in the data folder. */
    root: { accessKey: string | undefined; secretKey: string | undefined }
  }
}

/** A wrong or unknown setting; the message is one line for a person. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Reads the settings from an environment; the only place that does.
 * @throws ConfigError naming the setting, its value and what is allowed
 */
export function readConfig(environment: Environment): Config {
  const given = collect(environment)
  const result = schema.safeParse(Object.fromEntries([...given].map(([name, { value }]) => [name, value])))
  if (!result.success) throw wrongValue(result.error, given)
  const s = result.data
  return {
    host: s.STOWAGE_HOST,
    port: s.STOWAGE_PORT,
    server: s.STOWAGE_SERVER,
    data: resolve(s.STOWAGE_DATA),
    region: s.STOWAGE_REGION ?? DEFAULT_REGION,
    sessionSeconds: Math.round(s.STOWAGE_SESSION_HOURS * 3600),
    secrets: s.STOWAGE_SECRET,
    proxies: s.STOWAGE_TRUST_PROXY,
    publicUrl: s.STOWAGE_PUBLIC_URL,
    tls:
      s.STOWAGE_TLS_CERT !== undefined && s.STOWAGE_TLS_KEY !== undefined
        ? { certFile: s.STOWAGE_TLS_CERT, keyFile: s.STOWAGE_TLS_KEY }
        : undefined,
    caFile: s.STOWAGE_TLS_CA,
    warnings: warningsOf(given),
    egress: egressRules(s),
    logLevel: s.STOWAGE_LOG_LEVEL,
    checkAnswers: environment.NODE_ENV === 'test' || environment.NODE_ENV === 'development',
    store: {
      environment: {
        ...pick(environment, ['PATH', 'HOME', 'TMPDIR', 'NODE_ENV', 'TZ']),
        ...Object.fromEntries([...given].filter(([name]) => name in storeSettings).map(([name, g]) => [name, g.value])),
      },
      host: s.STOWAGE_STORE_HOST,
      root: { accessKey: s.STOWAGE_ROOT_USER, secretKey: s.STOWAGE_ROOT_PASSWORD },
    },
  }
}

interface Given {
  value: string
  /** The name it was written under. */
  source: string
  /** As it was written. */
  written: string
  warning?: string | undefined
}

function collect(environment: Environment): Map<string, Given> {
  const given = new Map<string, Given>()
  for (const [original, { name, read }] of Object.entries(ORIGINAL_NAMES)) {
    const value = environment[original]
    if (value) given.set(name, { ...(read ? read(value) : { value }), source: original, written: value })
  }
  for (const [name, value] of Object.entries(environment)) {
    // An empty variable means unset, as everywhere in a shell.
    if (!name.startsWith('STOWAGE_') || !value) continue
    // The tests' own variables, which a console started by a test inherits.
    if (name.startsWith('STOWAGE_TEST_')) continue
    if (!(name in shape)) throw unknownName(name)
    given.set(name, { value, source: name, written: value })
  }
  return given
}

function warningsOf(given: ReadonlyMap<string, Given>): string[] {
  return [...given].flatMap(([name, { source, warning }]) =>
    warning === undefined ? [] : [`${source} ${warning}. The setting is now called ${name}.`],
  )
}

function unknownName(name: string): ConfigError {
  const guess = nearest(name, Object.keys(shape))
  return new ConfigError(
    `${name} is not a setting.${guess ? ` Did you mean ${guess}?` : ''} Run with --help to list all settings.`,
  )
}

function wrongValue(error: z.ZodError, given: ReadonlyMap<string, Given>): ConfigError {
  const issue = error.issues[0]
  const name = String(issue?.path[0] ?? 'STOWAGE_*')
  const entry = given.get(name)
  const shown = SECRET_SETTINGS.has(name) ? '(not shown)' : JSON.stringify(entry?.written ?? '')
  return new ConfigError(`${entry?.source ?? name} is ${shown}: ${issue?.message ?? 'wrong value'}`)
}

function pick(environment: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** The text of `--help`: every setting with its default and its meaning. */
export function settingsHelp(): string {
  const originals = Object.entries(ORIGINAL_NAMES).map(([original, { name }]) => `  ${original} → ${name}`)
  return [
    ...settingsLines(shape),
    '',
    'Settings of the original console that are accepted as well:',
    ...originals,
  ].join('\n')
}
