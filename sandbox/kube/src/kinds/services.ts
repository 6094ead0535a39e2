import type { Service, ServicePort } from 'kubernetes-types/core/v1'
import { quoteLikeGo } from '../object/json.ts'
import { type FieldError, fieldErrors } from '../object/kube-api-error.ts'
import type { KindRules, RuleContext } from './kind.ts'

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const NODE_PORTS = { first: 30_000, last: 32_767 }

export const serviceRules: KindRules<Service> = {
  returnsDeleted: true,
  defaults(service) {
    service.spec ??= {}
    const { spec } = service
    spec.sessionAffinity ??= 'None'
    spec.type ??= 'ClusterIP'
    for (const port of spec.ports ?? []) {
      port.protocol ??= 'TCP'
      port.targetPort ||= port.port
    }
    if (spec.type === 'ExternalName') return
    spec.internalTrafficPolicy ??= 'Cluster'
    if (spec.type === 'LoadBalancer' || spec.type === 'NodePort') spec.externalTrafficPolicy ??= 'Cluster'
    if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true
  },
  prepareCreate(service, context) {
    service.status = { loadBalancer: {} }
    allotAddresses(service, undefined, context)
  },
  prepareUpdate(next, previous, context) {
    if (previous.status) next.status = previous.status
    allotAddresses(next, previous, context)
  },
  problems({ spec = {} }) {
    const problems: FieldError[] = []
    const ports = spec.ports ?? []
    if (!TYPES.includes(spec.type ?? ''))
      problems.push(fieldErrors.notSupported('spec.type', quoteLikeGo(spec.type ?? ''), TYPES))
    if (spec.type === 'ExternalName' && !spec.externalName) problems.push(fieldErrors.required('spec.externalName'))
    if (ports.length === 0 && spec.type !== 'ExternalName' && spec.clusterIP !== 'None')
      problems.push(fieldErrors.required('spec.ports'))
    for (const [n, port] of ports.entries()) problems.push(...portProblems(port, `spec.ports[${n}]`, ports.length > 1))
    return problems
  },
  updateProblems(next, previous) {
    const [is, was] = [next.spec?.clusterIP, previous.spec?.clusterIP]
    if (!was || next.spec?.type === 'ExternalName' || is === was) return []
    return [fieldErrors.invalid('spec.clusterIPs[0]', is, 'field is immutable')]
  },
}

/** Assigns addresses and ports to a service that needs them; keeps existing ones. */
function allotAddresses(service: Service, previous: Service | undefined, context: RuleContext): void {
  const spec = service.spec ?? {}
  if (spec.type === 'ExternalName') {
    delete spec.clusterIP
    delete spec.clusterIPs
    return
  }
  const others = context.list('services') as Service[]
  spec.clusterIP ||= previous?.spec?.clusterIP || freeAddress(others)
  spec.clusterIPs ??= [spec.clusterIP]
  const headlessOfNobody = spec.clusterIP === 'None' && !spec.selector
  spec.ipFamilies ??= headlessOfNobody ? ['IPv4', 'IPv6'] : ['IPv4']
  spec.ipFamilyPolicy ??= headlessOfNobody ? 'RequireDualStack' : 'SingleStack'
  if (spec.type !== 'NodePort' && spec.type !== 'LoadBalancer') return
  const taken = new Set(others.flatMap((each) => each.spec?.ports?.map(({ nodePort }) => nodePort) ?? []))
  for (const port of spec.ports ?? []) {
    const before = previous?.spec?.ports?.find((each) => each.port === port.port)?.nodePort
    port.nodePort ??= before ?? freePort(taken)
    taken.add(port.nodePort)
  }
}

function freeAddress(others: Service[]): string {
  const taken = new Set(others.map(({ spec }) => spec?.clusterIP))
  // The first one belongs to the API server itself.
  for (let n = 2; ; n++) {
    const address = `10.96.${n >> 8}.${n & 255}`
    if (!taken.has(address)) return address
  }
}

function freePort(taken: ReadonlySet<number | undefined>): number {
  for (let port = NODE_PORTS.first; port <= NODE_PORTS.last; port++) if (!taken.has(port)) return port
  throw new RangeError('All node ports are taken')
}

function portProblems(port: ServicePort, path: string, named: boolean): FieldError[] {
  const problems: FieldError[] = []
  if (named && !port.name) problems.push(fieldErrors.required(`${path}.name`))
  for (const name of ['port', 'targetPort'] as const) {
    const value = port[name]
    if (typeof value === 'number' && (value < 1 || value > 65535))
      problems.push(fieldErrors.invalid(`${path}.${name}`, value, 'must be between 1 and 65535, inclusive'))
  }
  return problems
}
