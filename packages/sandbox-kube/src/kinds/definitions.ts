import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1'
import { type FieldError, fail, field } from '../errors.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { StoredObject } from '../object.ts'
import { prune } from '../schema/prune.ts'
import { parseRule, type Schema, unknownWords, walk } from '../schema/schema.ts'
import { immutableProblems, patternOf, schemaProblems } from '../schema/validate.ts'
import { type Decoded, decode } from '../types/go-types.ts'
import { ALL_VERBS, apiVersion, type Kind, type Rules, STATUS_VERBS } from './kind.ts'

export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io'

type Definition = CustomResourceDefinition

export const customResourceDefinitions: Rules<Definition> = {
  counted: true,
  defaults({ spec }) {
    if (!spec?.names) return
    spec.names.singular ||= spec.names.kind?.toLowerCase()
    spec.names.listKind ||= `${spec.names.kind}List`
    spec.conversion ??= { strategy: 'None' }
  },
  prepareCreate(definition) {
    const stored = definition.spec.versions?.find(({ storage }) => storage)
    definition.status = { storedVersions: stored ? [stored.name] : [] } as unknown as NonNullable<Definition['status']>
  },
  problems: definitionProblems,
  updateProblems(next, previous) {
    const fixed = ({ spec }: Definition) => JSON.stringify([spec.group, spec.scope, spec.names.plural, spec.names.kind])
    return fixed(next) === fixed(previous) ? [] : [field.invalid('spec', {}, 'field is immutable')]
  },
}

function definitionProblems({ metadata, spec }: Definition): FieldError[] {
  const problems: FieldError[] = []
  const wanted = `${spec.names?.plural}.${spec.group}`
  if (metadata?.name !== wanted) {
    const detail = 'must be spec.names.plural+"."+spec.group'
    problems.push(field.invalid('metadata.name', metadata?.name, detail))
  }
  if (spec.scope !== 'Namespaced' && spec.scope !== 'Cluster')
    problems.push(
      spec.scope
        ? field.notSupported('spec.scope', JSON.stringify(spec.scope), ['Cluster', 'Namespaced'])
        : field.required('spec.scope'),
    )
  const versions = spec.versions ?? []
  if (versions.filter(({ storage }) => storage).length !== 1) {
    problems.push(field.invalid('spec.versions', null, 'must have exactly one version marked as storage version'))
    problems.push(field.invalid('status.storedVersions', null, 'must have at least one stored version'))
  }
  if (spec.conversion?.strategy !== 'None')
    problems.push(field.notSupported('spec.conversion.strategy', JSON.stringify(spec.conversion?.strategy), ['None']))
  for (const [n, { schema }] of versions.entries()) {
    // If all versions have the same schema, the server reports its older path.
    const path =
      versions.length === 1 ? 'spec.validation.openAPIV3Schema' : `spec.versions[${n}].schema.openAPIV3Schema`
    if (!schema?.openAPIV3Schema)
      problems.push(field.required(`spec.versions[${n}].schema.openAPIV3Schema`, 'schemas are required'))
    else problems.push(...structuralProblems(schema.openAPIV3Schema as unknown as Schema, path))
  }
  return problems
}

function structuralProblems(root: Schema, path: string): FieldError[] {
  const problems: FieldError[] = []
  for (const [schema, at] of walk(root, path)) {
    const free = schema['x-kubernetes-int-or-string'] || schema['x-kubernetes-preserve-unknown-fields']
    if (!schema.type && !(free && at !== path)) {
      problems.push(
        field.required(
          `${at}.type`,
          at === path ? 'must not be empty at the root' : 'must not be empty for specified object fields',
        ),
      )
    }
    for (const word of unknownWords(schema))
      problems.push(field.forbidden(`${at}.${word}`, 'the sandbox does not support it'))
    for (const [n, { rule }] of (schema['x-kubernetes-validations'] ?? []).entries())
      if (!parseRule(rule)) {
        const detail = 'the sandbox supports rules that make a value immutable only, such as "self == oldSelf"'
        problems.push(field.forbidden(`${at}.x-kubernetes-validations[${n}].rule`, detail))
      }
    try {
      if (schema.pattern !== undefined) patternOf(schema.pattern)
    } catch {
      problems.push(field.invalid(`${at}.pattern`, schema.pattern, 'must be a valid regular expression'))
    }
  }
  return problems
}

/** Returns the kinds that a definition adds, one per served version. */
export function kindsOf(definition: Definition): Kind[] {
  const { group, names, scope, versions } = definition.spec
  return versions
    .filter(({ served }) => served)
    .map((version): Kind => {
      const kind = { kind: names.kind, group, version: version.name }
      const schema = version.schema?.openAPIV3Schema as unknown as Schema
      const hasStatus = version.subresources?.status !== undefined
      return {
        ...kind,
        key: `${names.plural}.${group}`,
        plural: names.plural,
        singular: names.singular ?? '',
        listKind: names.listKind ?? `${names.kind}List`,
        namespaced: scope === 'Namespaced',
        ...(names.shortNames ? { shortNames: names.shortNames } : {}),
        ...(names.categories ? { categories: names.categories } : {}),
        verbs: ALL_VERBS,
        subresources: hasStatus ? [{ name: 'status', kind: names.kind, verbs: STATUS_VERBS }] : [],
        nameRule: 'subdomain',
        custom: true,
        rules: customRules(schema, hasStatus),
        read: (body) => readCustom(body, kind, schema),
        show: (object) => ({ ...object, apiVersion: apiVersion(kind) }),
      }
    })
}

function readCustom(body: JsonObject, kind: { kind: string; group: string; version: string }, schema: Schema): Decoded {
  const expected = apiVersion(kind)
  if (typeof body.kind !== 'string' || body.kind === '') {
    const text = JSON.stringify(body)
    const short = text.length > 30 ? `${text.slice(0, 30)} ...` : text
    throw fail.badRequest(
      `the object provided is unrecognized (must be of type ${kind.kind}): Object 'Kind' is missing in '${text}' (${short})`,
    )
  }
  if (body.apiVersion !== expected) {
    const refusal = fail.badRequest(
      `the API version in the data (${String(body.apiVersion)}) does not match the expected API version (${expected})`,
    )
    // Fields of another version are unknown.
    const unknown = Object.keys(body).filter((name) => !['apiVersion', 'kind', 'metadata'].includes(name))
    return { object: body, unknown, refusal }
  }
  if (body.kind !== kind.kind)
    throw fail.invalid({ kind: body.kind, group: kind.group }, nameOf(body), [
      field.invalid('kind', body.kind, `must be ${kind.kind}`),
    ])
  const { apiVersion: _, kind: __, metadata, ...rest } = structuredClone(body)
  const meta = decode('meta.ObjectMeta', isObject(metadata) ? metadata : {})
  const unknown = [...meta.unknown.map((path) => `metadata.${path}`), ...prune(rest, schema)]
  return { object: { apiVersion: expected, kind: kind.kind, metadata: meta.object, ...rest }, unknown }
}

function nameOf({ metadata }: JsonObject): string {
  return isObject(metadata) && typeof metadata.name === 'string' ? metadata.name : ''
}

function customRules(schema: Schema, hasStatus: boolean): Rules {
  const before = (object: object) => object as unknown as JsonObject
  return {
    counted: true,
    versionRequired: true,
    prepareCreate(object) {
      if (hasStatus) delete (object as { status?: unknown }).status
    },
    prepareUpdate(next, previous) {
      if (hasStatus) restore(next, previous, 'status')
    },
    problems: (object) => schemaProblems(before(object), schema),
    updateProblems: (next, previous) => immutableProblems(before(next), before(previous), schema),
    prepareSubresource: {
      status(next, previous) {
        for (const name of new Set([...Object.keys(next), ...Object.keys(previous)]))
          if (name !== 'status' && name !== 'metadata') restore(next, previous, name)
        next.metadata = { ...previous.metadata, resourceVersion: next.metadata?.resourceVersion ?? '' }
      },
    },
    subresourceProblems: (next) => schemaProblems(before(next), schema, 'status'),
  }
}

function restore(next: object, previous: object, name: string): void {
  const [to, from] = [next as Record<string, unknown>, previous as Record<string, unknown>]
  if (from[name] === undefined) delete to[name]
  else to[name] = from[name]
}

/** Whether a definition is established. */
export function isEstablished(definition: StoredObject): boolean {
  const conditions = (definition as unknown as Definition).status?.conditions ?? []
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True')
}
