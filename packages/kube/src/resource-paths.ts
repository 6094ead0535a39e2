import { KubeError } from './kube-error.ts'
import { pathSegmentProblem } from './names.ts'
import { formatApiVersion, type KubeResource } from './resources.ts'

/**
 * Returns the path of a kind, or of one object, with each name as exactly one segment.
 * @throws KubeError BadRequest if a name is not a valid segment (`..`, `a/b`), like the server's answer; nothing is sent
 */
export function resourcePath(
  resource: KubeResource,
  at: { namespace?: string | undefined; name?: string | undefined; subresource?: string | undefined } = {},
): string {
  const parts = [resource.group === '' ? 'api' : 'apis', ...formatApiVersion(resource).split('/')]
  if (at.namespace !== undefined && resource.namespaced) parts.push('namespaces', segment('namespace', at.namespace))
  parts.push(resource.plural)
  if (at.name !== undefined) parts.push(segment('name', at.name))
  if (at.subresource !== undefined) parts.push(at.subresource)
  return `/${parts.join('/')}`
}

function segment(what: string, text: string): string {
  const problem = text === '' ? 'must not be empty' : pathSegmentProblem(text)
  if (problem !== undefined) {
    const message = `invalid ${what} ${JSON.stringify(text)}: [${problem}]`
    throw new KubeError({ kind: 'Status', reason: 'BadRequest', message, code: 400 })
  }
  return encodeURIComponent(text)
}
