// Writes sandbox/kube/src/types/go-types.json: the fields of the built-in kinds, read from the Go sources that
// the reference server is built from (Apache-2.0). Run by hand when REFERENCE_VERSION changes:
// `tsx sandbox/tests/reference/write-go-types.ts`.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = spawnSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).stdout.trim()
const staging = 'v0.33.13'

/** Packages by the name with which the sources import them, or by our name. */
const packages: Record<string, string> = {
  core: `k8s.io/api@${staging}/core/v1`,
  apps: `k8s.io/api@${staging}/apps/v1`,
  batch: `k8s.io/api@${staging}/batch/v1`,
  rbac: `k8s.io/api@${staging}/rbac/v1`,
  storage: `k8s.io/api@${staging}/storage/v1`,
  coordination: `k8s.io/api@${staging}/coordination/v1`,
  certificates: `k8s.io/api@${staging}/certificates/v1`,
  authentication: `k8s.io/api@${staging}/authentication/v1`,
  authorization: `k8s.io/api@${staging}/authorization/v1`,
  apiextensions: `k8s.io/apiextensions-apiserver@${staging}/pkg/apis/apiextensions/v1`,
  meta: `k8s.io/apimachinery@${staging}/pkg/apis/meta/v1`,
}

const roots = {
  core: [
    ...['ConfigMap', 'Event', 'Namespace', 'Node', 'PersistentVolume', 'PersistentVolumeClaim', 'Pod', 'ResourceQuota'],
    ...['Secret', 'Service', 'ServiceAccount', 'Binding', 'PodLogOptions'],
  ],
  apps: ['Deployment', 'ReplicaSet', 'StatefulSet'],
  batch: ['Job'],
  rbac: ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  storage: ['StorageClass'],
  coordination: ['Lease'],
  certificates: ['CertificateSigningRequest'],
  authentication: ['SelfSubjectReview', 'TokenReview', 'TokenRequest'],
  authorization: ['SelfSubjectAccessReview', 'SelfSubjectRulesReview', 'SubjectAccessReview'],
  apiextensions: ['CustomResourceDefinition'],
  meta: ['DeleteOptions', 'ObjectMeta'],
}

/** Types that are not structs, by full name. */
const scalars: Record<string, string> = {
  'resource.Quantity': 'quantity',
  'meta.Time': 'time',
  'meta.MicroTime': 'microTime',
  'meta.Duration': 'duration',
  'intstr.IntOrString': 'intOrString',
  'types.UID': 'string',
  'types.NodeName': 'string',
  'runtime.RawExtension': 'any',
  'runtime.Unknown': 'any',
  'meta.FieldsV1': 'any',
  'apiextensions.JSON': 'any',
  // Structural schemas are validated by separate code.
  'apiextensions.JSONSchemaProps': 'any',
}

interface DeclaredStruct {
  /** The type that a named type stands for, if it is not a struct. */
  alias?: string
  fields?: { name: string; type: string; always: boolean; inline: boolean }[]
}

const declared = new Map<string, DeclaredStruct>()
for (const [name, path] of Object.entries(packages)) {
  const folder = join(cache, path)
  for (const file of readdirSync(folder).filter((each) => /\.go$/.test(each) && !/_test|generated/.test(each)))
    read(name, readFileSync(join(folder, file), 'utf8'))
}

function read(owner: string, source: string): void {
  const imports = new Map<string, string>([
    ['v1', owner === 'meta' ? 'meta' : 'core'],
    ['metav1', 'meta'],
  ])
  for (const [, alias, path = ''] of source.matchAll(/^\s*(?:import\s+)?(\w+)?\s*"(k8s\.io\/[^"]+)"/gm)) {
    const known = Object.entries(packages).find(([, folder]) => folder.replace(/@[^/]+/, '') === path)?.[0]
    const last = path.split('/').at(-1) ?? ''
    imports.set(alias ?? last, known ?? last)
  }
  const full = (type: string): string => {
    const [, prefix = '', base = ''] = /^((?:\*|\[\]|map\[[\w.]+\])*)(.+)$/.exec(type) ?? []
    const plain = prefix.replace(/map\[[\w.]+\]/g, '{}')
    if (plain === '[]' && base === 'byte') return 'bytes'
    if (plain === '*[]' && base === 'byte') return '*bytes'
    if (/^(string|bool|int|int32|int64|float64|byte)$/.test(base)) return plain + base
    const [scope, name] = base.includes('.') ? base.split('.') : [undefined, base]
    return `${plain}${scope === undefined ? owner : (imports.get(scope) ?? scope)}.${name}`
  }
  for (const [, name, body] of source.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
    const fields = [...(body ?? '').matchAll(/^\t(?:(\w+)\s+)?([*[\]\w.]+)\s+`([^`]*)`/gm)].flatMap(
      ([, field, type = '', tags = '']) => {
        const json = /json:"([^"]*)"/.exec(tags)?.[1] ?? ''
        const [key = '', ...options] = json.split(',')
        if (key === '-') return []
        const inline = options.includes('inline') || (key === '' && field === undefined)
        return [{ name: key || (field ?? ''), type: full(type), always: !options.includes('omitempty'), inline }]
      },
    )
    declared.set(`${owner}.${name}`, { fields })
  }
  for (const [, name] of source.matchAll(/^type (\w+) struct ?\{\}$/gm))
    declared.set(`${owner}.${name}`, { fields: [] })
  for (const [, name, type] of source.matchAll(/^type (\w+) ((?:\*|\[\]|map\[[\w.]+\])*[\w.]+)$/gm))
    if (type !== 'struct' && type !== 'interface') declared.set(`${owner}.${name}`, { alias: full(type ?? '') })
}

const result: Record<string, Record<string, string>> = {}

/** Returns a type in our notation, and records the structs in it. */
function resolve(type: string): string {
  const [, prefix = '', base = ''] = /^((?:\*|\[\]|\{\})*)(.+)$/.exec(type) ?? []
  const scalar = scalars[base]
  if (scalar) return prefix + scalar
  if (!base.includes('.')) return type
  const found = declared.get(base)
  if (found?.alias) return resolve(prefix + found.alias)
  if (!found?.fields) throw new Error(`${base} is not declared`)
  note(base)
  return prefix + base
}

function resolvedFields(name: string): [string, string][] {
  return (declared.get(name)?.fields ?? []).flatMap(({ name: key, type, always, inline }) =>
    inline ? resolvedFields(type.replace(/^\*/, '')) : [[key, resolve(type) + (always ? '!' : '')] as [string, string]],
  )
}

function note(name: string): void {
  if (name in result) return
  result[name] = {}
  const fields = Object.fromEntries(resolvedFields(name))
  // Used by server-side apply; the sandbox refuses that, and drops the field if clients send it.
  if (name === 'meta.ObjectMeta') fields.managedFields = '[]any'
  result[name] = fields
}

for (const [owner, names] of Object.entries(roots)) for (const name of names) note(`${owner}.${name}`)
const lines = Object.entries(result)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, fields]) => `  ${JSON.stringify(name)}: ${JSON.stringify(fields)}`)
const target = fileURLToPath(new URL('../../kube/src/types/go-types.json', import.meta.url))
writeFileSync(target, `{\n${lines.join(',\n')}\n}\n`)
console.log(`${lines.length} types`)
