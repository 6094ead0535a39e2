/**
 * Replaces values that differ between runs by names in order of appearance, so that answers of two runs or servers can be
 * compared.
 */
export class Normalizer {
  /** Texts of this run, longest first, and their replacements. */
  readonly #masks: [string | RegExp, string][] = []
  readonly #uids = new Map<string, string>()
  readonly #versions = new Map<string, string>()

  mask(text: string | RegExp, name: string): void {
    this.#masks.push([text, name])
    this.#masks.sort(([a], [b]) => b.toString().length - a.toString().length)
  }

  text(text: string): string {
    let result = text
    for (const [from, to] of this.#masks)
      result = result.replaceAll(typeof from === 'string' ? from : globally(from), to)
    return result
      .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, (uid) =>
        named(this.#uids, uid, 'uid'),
      )
      .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
      .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<jwt>')
  }

  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value)
    if (Array.isArray(value)) return value.map((each) => this.value(each))
    if (typeof value !== 'object' || value === null) return value
    if ('causes' in value && Array.isArray(value.causes)) return this.#withSortedCauses(value as Causes)
    const comparable = 'kind' in value && value.kind === 'Status' ? withoutCauses(value as Failure) : value
    const isList = 'items' in value && 'kind' in value && String(value.kind).endsWith('List')
    return Object.fromEntries(
      Object.entries(comparable)
        // Field owners are kept for server-side apply, which the sandbox refuses.
        .filter(([key]) => key !== 'managedFields')
        .map(([key, each]): [string, unknown] => [
          this.text(key),
          key === 'metadata' ? this.#metadata(each, isList) : this.value(each),
        ])
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    )
  }

  /** Sorts causes, because servers report them in random order. */
  #withSortedCauses({ causes, ...rest }: Causes): unknown {
    const all = causes.map((cause) => this.value(cause))
    return {
      ...(this.value(rest) as object),
      causes: all.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    }
  }

  #metadata(value: unknown, ofList: boolean): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.value(value)
    const { resourceVersion, continue: next, ...rest } = value as Record<string, unknown>
    if (
      typeof rest.generateName === 'string' &&
      typeof rest.name === 'string' &&
      rest.name.startsWith(rest.generateName)
    )
      this.mask(rest.name, `${rest.generateName}<random>`)
    return this.value({
      ...rest,
      ...(typeof resourceVersion !== 'string'
        ? {}
        : { resourceVersion: ofList ? '<list version>' : this.#version(resourceVersion) }),
      ...(next === undefined ? {} : { continue: next === '' ? '' : '<continue>' }),
    })
  }

  #version(version: string): string {
    return /^\d+$/.test(version) && version !== '0' ? named(this.#versions, version, 'version') : version
  }
}

interface Causes {
  causes: unknown[]
}

interface Failure {
  kind: string
  message?: string
  details?: Partial<Causes>
}

/** Removes causes from the message, where their order is random. */
function withoutCauses(status: Failure): Failure {
  const several = (status.details?.causes?.length ?? 0) > 1
  return several
    ? { ...status, message: status.message?.replace(/ is invalid: \[.*$/s, ' is invalid: [<causes>]') ?? '' }
    : status
}

function named(names: Map<string, string>, key: string, what: string): string {
  const name = names.get(key) ?? `<${what} ${names.size + 1}>`
  names.set(key, name)
  return name
}

function globally(pattern: RegExp): RegExp {
  return new RegExp(pattern.source, pattern.flags.includes('g') ? pattern.flags : `${pattern.flags}g`)
}
