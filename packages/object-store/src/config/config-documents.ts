import type { Engine } from '../engine/interface/types.ts'
import type { ConfigSubsystem } from './config-key.ts'
import type { ConfigTargetChange, ConfigValues, StoreConfigTarget } from './config-target.ts'

export type ConfigDocumentEngine = Pick<Engine, 'listDocuments' | 'putDocuments'>
type Document = Parameters<ConfigDocumentEngine['putDocuments']>[0][number]

const COLLECTION = 'config'
const NOTHING: ConfigValues = {}

/** The values that administrators have set: documents of the engine, which are read once. */
export class ConfigDocuments {
  readonly #documents: ConfigDocumentEngine
  /** By subsystem and target. */
  readonly #values = new Map<string, Map<string, ConfigValues>>()

  constructor(documents: ConfigDocumentEngine) {
    this.#documents = documents
    for (const { name, value } of documents.listDocuments(COLLECTION)) {
      const [subsystem = '', target = ''] = name.split(':')
      // Only `save` writes it.
      this.#remember(subsystem, target, JSON.parse(value) as ConfigValues)
    }
  }

  /** Returns the names of the targets of a subsystem. */
  names(subsystem: string): string[] {
    return [...(this.#values.get(subsystem)?.keys() ?? [])]
  }

  has(subsystem: string, target: string): boolean {
    return this.#values.get(subsystem)?.has(target) === true
  }

  values(subsystem: string, target: string): ConfigValues {
    return this.#values.get(subsystem)?.get(target) ?? NOTHING
  }

  /** Returns all targets of these subsystems. */
  targets(subsystems: readonly ConfigSubsystem[]): StoreConfigTarget[] {
    return subsystems.flatMap((subsystem) =>
      [...(this.#values.get(subsystem.name) ?? [])].map(([name, stored]) => ({ subsystem, name, stored })),
    )
  }

  /** Saves changes, in one commit with other documents. */
  async save(changes: readonly ConfigTargetChange[], others: readonly Document[]): Promise<void> {
    const documents = changes.map(({ target, stored }) => ({
      collection: COLLECTION,
      name: `${target.subsystem.name}:${target.name}`,
      value: stored && JSON.stringify(stored),
    }))
    await this.#documents.putDocuments([...documents, ...others])
    for (const { target, stored } of changes) this.#remember(target.subsystem.name, target.name, stored)
  }

  #remember(subsystem: string, target: string, stored: ConfigValues | undefined): void {
    const targets = this.#values.get(subsystem) ?? new Map<string, ConfigValues>()
    if (stored) targets.set(target, stored)
    else targets.delete(target)
    this.#values.set(subsystem, targets)
  }
}
