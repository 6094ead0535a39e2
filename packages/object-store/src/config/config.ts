import { S3Error } from '../lib/errors.ts'
import { type ConfigGuard, requireTargetLimit, requireValidTarget } from './config-checks.ts'
import { type ConfigDocumentEngine, ConfigDocuments } from './config-documents.ts'
import { type ConfigChangeEntry, ConfigHistory } from './config-history.ts'
import type { ConfigSubsystem } from './config-key.ts'
import {
  type ConfigLine,
  configLineText,
  parseConfigDeletions,
  parseConfigLines,
  parseConfigTarget,
} from './config-lines.ts'
import { CONFIG_REGISTRY, DEFAULT_CONFIG_TARGET } from './config-registry.ts'
import {
  type ConfigTargetChange,
  type ConfigValues,
  configTargetName,
  isTargetDisabled,
  mergeStoredValues,
  requireConfigKey,
  requireDistinctTargets,
  type StoreConfigTarget,
} from './config-target.ts'
import { type EffectiveValues, effectiveValues } from './effective-values.ts'
import { type EnvironmentValue, environmentValues, subsystemKeys } from './environment-values.ts'
import { configTargetLine, configTargetText } from './target-text.ts'

export type { ConfigGuard } from './config-checks.ts'
export type { ConfigValues } from './config-target.ts'

export interface ConfigOptions {
  documents: ConfigDocumentEngine
  environment?: Readonly<Record<string, string | undefined>> | undefined
  /** Default: `CONFIG_REGISTRY`. */
  registry?: readonly ConfigSubsystem[]
  /** ms since 1970; for tests. */
  now?: () => number
}

/** Why a line of a configuration text is refused. */
export interface ConfigLineProblem {
  /** `subsystem` or `subsystem:target`, as in the line. */
  target: string
  message: string
}

const NOTHING: ConfigValues = {}

/**
 * The configuration of the store. The environment overrides stored documents, which override defaults. Read once, then served
 * from memory, and changed by lines of text.
 */
export class StoreConfig {
  readonly #environment: Readonly<Record<string, string | undefined>>
  readonly #registry: ReadonlyMap<string, ConfigSubsystem>
  readonly #stored: ConfigDocuments
  readonly #guards = new Map<string, ConfigGuard[]>()
  readonly #listeners = new Map<string, (() => void)[]>()
  readonly #history: ConfigHistory
  #queue: Promise<unknown> = Promise.resolve()

  constructor({ documents, environment = {}, registry = CONFIG_REGISTRY, now = Date.now }: ConfigOptions) {
    this.#environment = environment
    this.#registry = new Map(registry.map((subsystem) => [subsystem.name, subsystem]))
    this.#history = new ConfigHistory(documents, now)
    this.#stored = new ConfigDocuments(documents)
  }

  get subsystems(): readonly ConfigSubsystem[] {
    return [...this.#registry.values()]
  }

  /** @throws S3Error XMinioConfigError */
  subsystem(name: string): ConfigSubsystem {
    const found = this.#registry.get(name)
    if (!found) throw new S3Error('XMinioConfigError', `unknown sub-system ${name.slice(0, 64)}`)
    return found
  }

  /** Returns the target names of a subsystem, from the environment or stored, the default one first. */
  targets(subsystem: string): string[] {
    const environment = environmentValues(this.subsystem(subsystem), this.#environment)
    return [...new Set([DEFAULT_CONFIG_TARGET, ...[...environment.keys(), ...this.#stored.names(subsystem)].sort()])]
  }

  /** Returns the values in effect, or in effect after a restart. An invalid value is replaced by the next source. */
  values(subsystem: string, target = DEFAULT_CONFIG_TARGET): ConfigValues {
    const known = this.subsystem(subsystem)
    return this.#effective(known, target, this.#stored.values(subsystem, target)).values
  }

  /** Returns the values of a target that are not defaults, without secrets, and whether the environment sets them. */
  valuesSet(subsystem: string, target: string): { key: string; value: string; fromEnvironment: boolean }[] {
    const known = this.subsystem(subsystem)
    const environment = this.#targetEnvironment(known, target)
    const stored = this.#stored.values(subsystem, target)
    return subsystemKeys(known).flatMap(({ name: key, secret }) => {
      const value = environment.get(key)?.value ?? stored[key]
      return value === undefined || secret ? [] : [{ key, value, fromEnvironment: environment.has(key) }]
    })
  }

  /** Returns the invalid values of the environment and the store, for a log. */
  problems(): string[] {
    return this.subsystems.flatMap((subsystem) =>
      this.targets(subsystem.name).flatMap((name) => {
        return this.#effective(subsystem, name, this.#stored.values(subsystem.name, name)).problems
      }),
    )
  }

  /** Calls the listener whenever a subsystem changes. */
  onChange(subsystem: string, listener: () => void): void {
    this.#listeners.set(subsystem, [...(this.#listeners.get(subsystem) ?? []), listener])
  }

  /** Adds a check that changes of a subsystem must pass. */
  guard(subsystem: string, guard: ConfigGuard): void {
    this.#guards.set(subsystem, [...(this.#guards.get(subsystem) ?? []), guard])
  }

  /**
   * Returns the text of a subsystem or one target, without secrets, after comments about environment variables and invalid
   * values.
   * @throws S3Error XMinioConfigError
   */
  text(key: string): string {
    const { subsystem: name, target } = parseConfigTarget(key)
    const subsystem = this.subsystem(name)
    const targets = key.includes(':') ? [target] : this.targets(name)
    return targets.map((each) => this.#targetText(this.#target(subsystem, each))).join('')
  }

  /** Returns the text of the whole stored configuration, without secrets. Disabled targets are comments. */
  fullText(): string {
    return this.subsystems
      .flatMap((subsystem) => this.targets(subsystem.name).map((name) => this.#target(subsystem, name)))
      .map((target) =>
        isTargetDisabled(target) ? this.#targetText(target).replace(/^(?!#)(?=.)/gm, '# ') : this.#targetText(target),
      )
      .join('')
  }

  /**
   * Sets the keys in the lines.
   * @returns whether all changes are in effect without a restart
   * @throws S3Error XMinioConfigError, XMinioAdminConfigDuplicateKeys, XMinioAdminConfigBadJSON
   */
  set(text: string, user: string): Promise<boolean> {
    return this.#update(user, () =>
      this.#given(text).map(({ target, given }) => ({
        target,
        stored: mergeStoredValues(target, given, { keep: true }),
      })),
    )
  }

  /**
   * Like `set`, for the whole configuration: targets and keys that are missing in the lines are reset to defaults. Secrets are
   * kept.
   */
  setFull(text: string, user: string): Promise<boolean> {
    return this.#update(user, () => {
      const given = this.#given(text)
      const named = new Set(given.map(({ target }) => configTargetName(target)))
      const others = this.#stored.targets(this.subsystems).filter((target) => !named.has(configTargetName(target)))
      return [
        ...others.map((target) => ({ target, stored: undefined })),
        ...given.map(({ target, given }) => ({ target, stored: mergeStoredValues(target, given, { keep: false }) })),
      ]
    })
  }

  /** Returns all reasons for which `set` would refuse a text, without changing anything. */
  check(text: string): ConfigLineProblem[] {
    return text.split(/\r?\n/).flatMap((line) => {
      try {
        for (const { target, given } of this.#given(line))
          this.#check(target, mergeStoredValues(target, given, { keep: true }))
        return []
      } catch (error) {
        if (!(error instanceof S3Error)) throw error
        return [{ target: /^\s*(\S*)/.exec(line)?.[1]?.slice(0, 128) ?? '', message: error.message }]
      }
    })
  }

  /**
   * Resets targets, or some of their keys, to defaults.
   * @throws S3Error XMinioConfigError, XMinioConfigNotFoundError, XMinioAdminConfigBadJSON
   */
  delete(text: string, user: string): Promise<boolean> {
    return this.#update(user, () =>
      parseConfigDeletions(text).map(({ subsystem, target: name, keys }) => {
        const known = this.subsystem(subsystem)
        if (!this.#stored.has(subsystem, name) && name !== DEFAULT_CONFIG_TARGET) {
          throw new S3Error('XMinioConfigNotFoundError', `The target ${subsystem}:${name} does not exist.`)
        }
        for (const key of keys) requireConfigKey(known, key)
        const target = { subsystem: known, name, stored: this.#stored.values(subsystem, name) }
        if (keys.length === 0) return { target, stored: undefined }
        const left = Object.entries(target.stored).filter(([key]) => !keys.includes(key))
        return { target, stored: Object.fromEntries(left) }
      }),
    )
  }

  history(): ConfigChangeEntry[] {
    return this.#history.list()
  }

  /** Deletes one history entry, or all of them. @throws S3Error XMinioConfigNotFoundError */
  clearHistory(id: string): Promise<void> {
    return this.#enqueue(() => this.#history.clear(id))
  }

  /** Restores the targets of a history entry; secrets keep their present values. */
  restore(id: string, user: string): Promise<boolean> {
    return this.#update(user, () =>
      this.#given(this.#history.require(id).data, { allowEmpty: true }).map(({ target, given }) => ({
        target,
        stored: given.length === 0 ? undefined : mergeStoredValues(target, given, { keep: false }),
      })),
    )
  }

  #update(user: string, plan: () => ConfigTargetChange[]): Promise<boolean> {
    return this.#enqueue(async () => {
      const changes = plan()
      if (changes.length === 0) throw new S3Error('XMinioConfigError', 'The text contains no sub-system.')
      requireDistinctTargets(changes)
      for (const { target, stored } of changes) if (stored) this.#check(target, stored)
      requireTargetLimit(changes, (name) => this.#stored.names(name))
      await this.#commit(changes, user)
      return changes.every(({ target }) => target.subsystem.dynamic)
    })
  }

  /** Runs changes in sequence, so that each sees the result of the previous one. */
  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work)
    // A failure must not affect the next change in the queue.
    this.#queue = done.catch(() => undefined)
    return done
  }

  #given(text: string, { allowEmpty = false } = {}): { target: StoreConfigTarget; given: ConfigLine['pairs'] }[] {
    return parseConfigLines(text).map((line) => {
      const subsystem = this.subsystem(line.subsystem)
      if (!subsystem.multipleTargets && line.target !== DEFAULT_CONFIG_TARGET) {
        throw new S3Error('XMinioConfigError', `sub-system '${subsystem.name}' has one target only`)
      }
      if (line.pairs.length === 0 && !allowEmpty) {
        throw new S3Error('XMinioConfigError', `sub-system '${subsystem.name}' cannot have empty keys`)
      }
      const seen = new Set<string>()
      for (const [key] of line.pairs) {
        requireConfigKey(subsystem, key)
        if (seen.has(key)) throw new S3Error('XMinioAdminConfigDuplicateKeys', `The key ${key} is given twice.`)
        seen.add(key)
      }
      return { target: this.#target(subsystem, line.target, { orNew: true }), given: line.pairs }
    })
  }

  #target(subsystem: ConfigSubsystem, name: string, { orNew = false } = {}): StoreConfigTarget {
    if (!orNew && !this.targets(subsystem.name).includes(name)) {
      throw new S3Error('XMinioConfigError', `sub-system '${subsystem.name}' has no target '${name}'`)
    }
    return { subsystem, name, stored: this.#stored.values(subsystem.name, name) }
  }

  #targetEnvironment(subsystem: ConfigSubsystem, target: string): ReadonlyMap<string, EnvironmentValue> {
    return environmentValues(subsystem, this.#environment).get(target) ?? new Map()
  }

  #effective(subsystem: ConfigSubsystem, target: string, stored: ConfigValues): EffectiveValues {
    return effectiveValues(subsystem, this.#targetEnvironment(subsystem, target), stored)
  }

  /** @throws S3Error XMinioAdminConfigBadJSON */
  #check(target: StoreConfigTarget, stored: ConfigValues): void {
    const { subsystem, name } = target
    requireValidTarget(target, stored, this.#effective(subsystem, name, stored), this.#guards.get(subsystem.name))
  }

  async #commit(changes: readonly ConfigTargetChange[], user: string): Promise<void> {
    const data = changes
      .map(
        ({ target, stored = NOTHING }) =>
          `${configLineText(configTargetLine({ ...target, stored }, { defaults: false }))}\n`,
      )
      .join('')
    await this.#stored.save(changes, this.#history.entryDocuments(data, user))
    this.#history.reload()
    for (const name of new Set(changes.map(({ target }) => target.subsystem.name))) {
      for (const listener of this.#listeners.get(name) ?? []) listener()
    }
  }

  #targetText(target: StoreConfigTarget): string {
    const { subsystem, name, stored } = target
    const isStored = name === DEFAULT_CONFIG_TARGET || this.#stored.has(subsystem.name, name)
    return configTargetText(target, {
      environment: this.#targetEnvironment(subsystem, name),
      problems: this.#effective(subsystem, name, stored).problems,
      isStored,
    })
  }
}
