import type { KindRegistry } from '../kinds/kind-registry.ts'
import { KUBERNETES_VERSION } from './kubernetes-version.ts'

/** Returns the answer for a path that is not about objects; undefined for an unknown path. */
export function answerDiscovery(
  path: string,
  registry: KindRegistry,
  address: string,
): { json?: object; text?: string; missing?: true } | undefined {
  const parts = path.split('/').filter((part) => part !== '')
  const [root, group, version, ...more] = parts
  if (more.length > 0) return undefined
  switch (root) {
    case 'version':
      return parts.length === 1 ? { json: KUBERNETES_VERSION } : undefined
    case 'healthz':
    case 'livez':
    case 'readyz':
      return parts.length === 1 ? { text: 'ok' } : undefined
    case 'api':
      if (group === undefined) return { json: coreVersions(address) }
      return version === undefined ? resourceList(registry, '', group) : undefined
    case 'apis': {
      const groups = registry.groups()
      if (group === undefined) return { json: groupList(groups) }
      const versions = groups.get(group)
      if (!versions || group === '') return undefined
      if (version === undefined) return { json: { kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(group, versions) } }
      return resourceList(registry, group, version)
    }
    default:
      return undefined
  }
}

function coreVersions(address: string): object {
  const serverAddressByClientCIDRs = [{ clientCIDR: '0.0.0.0/0', serverAddress: address }]
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs }
}

function groupList(groups: Map<string, string[]>): object {
  const all = [...groups].filter(([group]) => group !== '')
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: all.map(([group, versions]) => apiGroup(group, versions)) }
}

function apiGroup(name: string, versions: string[]): object {
  const all = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }))
  return { name, versions: all, preferredVersion: all[0] }
}

function resourceList(registry: KindRegistry, group: string, version: string): { json: object } | { missing: true } {
  const kinds = registry.all().filter((kind) => kind.group === group && kind.version === version)
  const reviews = registry.reviews().filter((review) => review.group === group && review.version === version)
  if (kinds.length + reviews.length === 0) return { missing: true }
  const resources = [
    ...kinds.flatMap((kind) => [
      {
        name: kind.plural,
        singularName: kind.singular,
        namespaced: kind.namespaced,
        kind: kind.kind,
        // In the order in which each part of a real server lists them.
        verbs: kind.custom ? CUSTOM_VERBS : kind.verbs,
        ...(kind.shortNames ? { shortNames: kind.shortNames } : {}),
        ...(kind.categories ? { categories: kind.categories } : {}),
      },
      ...kind.subresources.map((sub) => ({
        name: `${kind.plural}/${sub.name}`,
        singularName: '',
        namespaced: kind.namespaced,
        ...(sub.group === undefined ? {} : { group: sub.group, version: sub.version }),
        kind: sub.kind,
        verbs: sub.verbs,
      })),
    ]),
    ...reviews.map(({ plural, singular, kind }) => ({
      name: plural,
      singularName: singular,
      namespaced: false,
      kind,
      verbs: ['create'],
    })),
  ]
  const groupVersion = group === '' ? version : `${group}/${version}`
  const apiVersion = kinds.some(({ custom }) => custom) || group !== '' ? { apiVersion: 'v1' } : {}
  return { json: { kind: 'APIResourceList', ...apiVersion, groupVersion, resources } }
}

const CUSTOM_VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']
