import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1'
import type { KubeObjectStore } from '../store/store.ts'
import { BUILT_IN_KINDS, REVIEW_KINDS, type ReviewKind } from './built-in-kinds.ts'
import { definedKinds, isEstablished } from './definitions.ts'
import type { KubeKind } from './kind.ts'

const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io'

/** The served kinds: built-in ones, and those of established definitions. */
export class KindRegistry {
  readonly #kinds = new Map<string, KubeKind>()
  readonly #byDefinition = new Map<string, KubeKind[]>()

  constructor(store: KubeObjectStore) {
    for (const kind of BUILT_IN_KINDS) this.#kinds.set(versionPath(kind), kind)
    for (const definition of store.list(DEFINITIONS)) this.#serve(definition.metadata.name, definition)
    store.subscribe(({ kind, object, type }) => {
      if (kind === DEFINITIONS) this.#serve(object.metadata.name, type === 'DELETED' ? undefined : object)
    })
  }

  #serve(name: string, definition: ReturnType<KubeObjectStore['get']>): void {
    for (const kind of this.#byDefinition.get(name) ?? []) this.#kinds.delete(versionPath(kind))
    this.#byDefinition.delete(name)
    if (!definition || !isEstablished(definition)) return
    const kinds = definedKinds(definition as unknown as CustomResourceDefinition)
    this.#byDefinition.set(name, kinds)
    for (const kind of kinds) this.#kinds.set(versionPath(kind), kind)
  }

  find(group: string, version: string, plural: string): KubeKind | undefined {
    return this.#kinds.get(versionPath({ group, version, plural }))
  }

  /** Returns the kind with a key, as used by owner references and the store. */
  byKey(key: string): KubeKind | undefined {
    return this.all().find((kind) => kind.key === key)
  }

  byKind(group: string, name: string): KubeKind | undefined {
    return this.all().find((kind) => kind.group === group && kind.kind === name)
  }

  review(group: string, version: string, plural: string): ReviewKind | undefined {
    return REVIEW_KINDS.find((each) => each.group === group && each.version === version && each.plural === plural)
  }

  reviews(): readonly ReviewKind[] {
    return REVIEW_KINDS
  }

  all(): KubeKind[] {
    return [...this.#kinds.values()]
  }

  /** Returns versions by group, in the order of preference for clients. */
  groups(): Map<string, string[]> {
    const groups = new Map<string, string[]>()
    for (const { group, version } of [...this.all(), ...REVIEW_KINDS]) {
      const versions = groups.get(group) ?? []
      if (!versions.includes(version)) groups.set(group, [...versions, version].sort(byStability))
    }
    return groups
  }
}

function versionPath({ group, version, plural }: { group: string; version: string; plural: string }): string {
  return `${group}/${version}/${plural}`
}

/** Sorts `v2` before `v1` before `v1beta2` before `v1alpha1`. */
function byStability(a: string, b: string): number {
  const rank = (version: string) => {
    const [, major = '0', stage, minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? []
    return [stage === undefined ? 2 : stage === 'beta' ? 1 : 0, Number(major), Number(minor)] as const
  }
  const [x, y] = [rank(a), rank(b)]
  return y[0] - x[0] || y[1] - x[1] || y[2] - x[2]
}
