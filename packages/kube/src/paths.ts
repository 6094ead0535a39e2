import { KubeError } from './errors.ts'
import { pathSegmentProblem } from './names.ts'
import { apiVersionOf, type Resource } from './resources.ts'

/**
 * The path of a kind, or of one object of it, with each name as exactly one segment.
 * @throws KubeError BadRequest when a name cannot be a segment (`..`, `a/b`), as the server would answer; nothing is sent
 */
export function pathOf(
  resource: Resource,
  at: { namespace?: string | undefined; name?: string | undefined; subresource?: string | undefined } = {},
): string {
  const parts = [resource.group === '' ? 'api' : 'apis', ...apiVersionOf(resource).split('/')]
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
