import type { TenantPod } from '@stowage/contract'
import { type Message, msg } from '../../../lib/text/i18n.ts'

/** What the scheduler reports about a pod without a node. */
interface Scheduling {
  /** The numbers of nodes by cause, in the scheduler's words. */
  causes: { count: number; cause: string }[]
  /** What the user can do about these causes. */
  remedies: Message[]
  /** What follows the scheduler's sentence, such as the reason of a volume claim. */
  rest: string
}

const REMEDIES: readonly (readonly [cause: RegExp, remedy: Message])[] = [
  [/^Insufficient memory/, msg('Lower the memory request of the pool, or free memory on a node.')],
  [/^Insufficient /, msg('Lower the request of the pool, or free the resource on a node.')],
  [/taint/, msg('Give the pool a toleration, or remove the taint from a node.')],
  [/anti-affinity/, msg('Add a node: a node runs one server of the pool.')],
  [/affinity|selector/, msg('Change the node selector of the pool, or the labels of a node.')],
  [/unschedulable/, msg('Allow pods on a cordoned node again.')],
]

/** Splits a message of the scheduler into its causes; undefined for any other message. */
export function parseScheduling(message: string): Scheduling | undefined {
  const [, sentence, rest = ''] = /^0\/\d+ nodes are available: (.+?)\.(?:\s+(.*))?$/s.exec(message) ?? []
  if (sentence === undefined) return undefined
  // A cause may contain commas, but each begins with a number.
  const causes = sentence.split(/, (?=\d+ )/).flatMap((part) => {
    const [, count, cause = ''] = /^(\d+) (?:node\(s\) )?(.+)$/s.exec(part) ?? []
    return count === undefined ? [] : [{ count: Number(count), cause }]
  })
  if (causes.length === 0) return undefined
  const remedies = causes.flatMap(({ cause }) => REMEDIES.find(([pattern]) => pattern.test(cause))?.[1] ?? [])
  return {
    causes: causes.sort((a, b) => b.count - a.count),
    remedies: [...new Set(remedies)],
    // Whether other pods could be evicted does not help the user.
    rest: rest.replace(/preemption: 0\/\d+ nodes are available: [^.]*\.\s*/, ''),
  }
}

/** Groups pods that wait for the same, because often all pods of a pool do. */
export function groupPodsByMessage(
  pods: readonly Pick<TenantPod, 'name' | 'message'>[],
): { message: string; names: string[] }[] {
  const groups = new Map<string, string[]>()
  for (const { name, message } of pods) groups.set(message, [...(groups.get(message) ?? []), name])
  return [...groups].map(([message, names]) => ({ message, names }))
}
