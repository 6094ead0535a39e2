import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1'
import { isJsonObject, type KubeJsonObject } from '../object/json.ts'
import { type FieldError, fieldErrors, kubeErrors } from '../object/kube-api-error.ts'
import type { SandboxObject } from '../object/stored-object.ts'
import { pruneUnknownFields } from '../schema/prune.ts'
import { type OpenApiSchema, parseRule, unknownWords, walkSchema } from '../schema/schema.ts'
import { compilePattern, immutableProblems, schemaProblems } from '../schema/validate.ts'
import { type DecodedStruct, decodeStruct } from '../types/go-types.ts'
import { ALL_VERBS, apiVersion, type KindRules, type KubeKind, STATUS_VERBS } from './kind.ts'

export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io'

type Definition = CustomResourceDefinition

export const definitionRules: KindRules<Definition> = {
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
    return fixed(next) === fixed(previous) ? [] : [fieldErrors.invalid('spec', {}, 'field is immutable')]
  },
}

function definitionProblems({ metadata, spec }: Definition): FieldError[] {
  const problems: FieldError[] = []
  const wanted = `${spec.names?.plural}.${spec.group}`
  if (metadata?.name !== wanted) {
    const detail = 'must be spec.names.plural+"."+spec.group'
    problems.push(fieldErrors.invalid('metadata.name', metadata?.name, detail))
  }
  if (spec.scope !== 'Namespaced' && spec.scope !== 'Cluster')
    problems.push(
      spec.scope
        ? fieldErrors.notSupported('spec.scope', JSON.stringify(spec.scope), ['Cluster', 'Namespaced'])
        : fieldErrors.required('spec.scope'),
    )
  const versions = spec.versions ?? []
  if (versions.filter(({ storage }) => storage).length !== 1) {
    problems.push(fieldErrors.invalid('spec.versions', null, 'must have exactly one version marked as storage version'))
    problems.push(fieldErrors.invalid('status.storedVersions', null, 'must have at least one stored version'))
  }
  if (spec.conversion?.strategy !== 'None')
    problems.push(
      fieldErrors.notSupported('spec.conversion.strategy', JSON.stringify(spec.conversion?.strategy), ['None']),
    )
  for (const [n, { schema }] of versions.entries()) {
    // If all versions have the same schema, the server reports its older path.
    const path =
      versions.length === 1 ? 'spec.validation.openAPIV3Schema' : `spec.versions[${n}].schema.openAPIV3Schema`
    if (!schema?.openAPIV3Schema)
      problems.push(fieldErrors.required(`spec.versions[${n}].schema.openAPIV3Schema`, 'schemas are required'))
    else problems.push(...structuralProblems(schema.openAPIV3Schema as unknown as OpenApiSchema, path))
  }
  return problems
}

function structuralProblems(root: OpenApiSchema, path: string): FieldError[] {
  const problems: FieldError[] = []
  for (const [schema, at] of walkSchema(root, path)) {
    const free = schema['x-kubernetes-int-or-string'] || schema['x-kubernetes-preserve-unknown-fields']
    if (!schema.type && !(free && at !== path)) {
      problems.push(
        fieldErrors.required(
          `${at}.type`,
          at === path ? 'must not be empty at the root' : 'must not be empty for specified object fields',
        ),
      )
    }
    for (const word of unknownWords(schema))
      problems.push(fieldErrors.forbidden(`${at}.${word}`, 'the sandbox does not support it'))
    for (const [n, { rule }] of (schema['x-kubernetes-validations'] ?? []).entries())
      if (!parseRule(rule)) {
        const detail = 'the sandbox supports rules that make a value immutable only, such as "self == oldSelf"'
        problems.push(fieldErrors.forbidden(`${at}.x-kubernetes-validations[${n}].rule`, detail))
      }
    try {
      if (schema.pattern !== undefined) compilePattern(schema.pattern)
    } catch {
      problems.push(fieldErrors.invalid(`${at}.pattern`, schema.pattern, 'must be a valid regular expression'))
    }
  }
  return problems
}

/** Returns the kinds that a definition adds, one per served version. */
export function definedKinds(definition: Definition): KubeKind[] {
  const { group, names, scope, versions } = definition.spec
  return versions
    .filter(({ served }) => served)
    .map((version): KubeKind => {
      const kind = { kind: names.kind, group, version: version.name }
      const schema = version.schema?.openAPIV3Schema as unknown as OpenApiSchema
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

function readCustom(
  body: KubeJsonObject,
  kind: { kind: string; group: string; version: string },
  schema: OpenApiSchema,
): DecodedStruct {
  const expected = apiVersion(kind)
  if (typeof body.kind !== 'string' || body.kind === '') {
    const text = JSON.stringify(body)
    const short = text.length > 30 ? `${text.slice(0, 30)} ...` : text
    throw kubeErrors.badRequest(
      `the object provided is unrecognized (must be of type ${kind.kind}): Object 'Kind' is missing in '${text}' (${short})`,
    )
  }
  if (body.apiVersion !== expected) {
    const refusal = kubeErrors.badRequest(
      `the API version in the data (${String(body.apiVersion)}) does not match the expected API version (${expected})`,
    )
    // Fields of another version are unknown.
    const unknown = Object.keys(body).filter((name) => !['apiVersion', 'kind', 'metadata'].includes(name))
    return { object: body, unknown, refusal }
  }
  if (body.kind !== kind.kind)
    throw kubeErrors.invalid({ kind: body.kind, group: kind.group }, metadataName(body), [
      fieldErrors.invalid('kind', body.kind, `must be ${kind.kind}`),
    ])
  const { apiVersion: _, kind: __, metadata, ...rest } = structuredClone(body)
  const meta = decodeStruct('meta.ObjectMeta', isJsonObject(metadata) ? metadata : {})
  const unknown = [...meta.unknown.map((path) => `metadata.${path}`), ...pruneUnknownFields(rest, schema)]
  return { object: { apiVersion: expected, kind: kind.kind, metadata: meta.object, ...rest }, unknown }
}

function metadataName({ metadata }: KubeJsonObject): string {
  return isJsonObject(metadata) && typeof metadata.name === 'string' ? metadata.name : ''
}

function customRules(schema: OpenApiSchema, hasStatus: boolean): KindRules {
  const before = (object: object) => object as unknown as KubeJsonObject
  return {
    counted: true,
    versionRequired: true,
    prepareCreate(object) {
      if (hasStatus) delete (object as { status?: unknown }).status
    },
    prepareUpdate(next, previous) {
      if (hasStatus) restoreMetadata(next, previous, 'status')
    },
    problems: (object) => schemaProblems(before(object), schema),
    updateProblems: (next, previous) => immutableProblems(before(next), before(previous), schema),
    prepareSubresource: {
      status(next, previous) {
        for (const name of new Set([...Object.keys(next), ...Object.keys(previous)]))
          if (name !== 'status' && name !== 'metadata') restoreMetadata(next, previous, name)
        next.metadata = { ...previous.metadata, resourceVersion: next.metadata?.resourceVersion ?? '' }
      },
    },
    subresourceProblems: (next) => schemaProblems(before(next), schema, 'status'),
  }
}

function restoreMetadata(next: object, previous: object, name: string): void {
  const [to, from] = [next as Record<string, unknown>, previous as Record<string, unknown>]
  if (from[name] === undefined) delete to[name]
  else to[name] = from[name]
}

/** Whether a definition is established. */
export function isEstablished(definition: SandboxObject): boolean {
  const conditions = (definition as unknown as Definition).status?.conditions ?? []
  return conditions.some(({ type, status }) => type === 'Established' && status === 'True')
}
