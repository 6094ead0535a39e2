/** Time limit for responses of other tabs (ms). */
const ANSWER_WITHIN = 250

type TabMessage = { ask: string[]; of: string } | { have: string[]; for: string }

export interface OtherTabs {
  /** Returns those of these uploads that another tab of this browser is working on. */
  heldByOtherTabs(ids: string[]): Promise<Set<string>>
}

/**
 * Connects the tabs, which share the records of unfinished uploads. Each tab announces which ones it is working on, so that a
 * second tab does not ask the user for those files. BroadcastChannel works over plain HTTP too; Web Locks do not.
 */
export function connectTabs(inHand: () => string[]): OtherTabs & Disposable {
  const channel = new BroadcastChannel('stowage-transfers')
  const me = crypto.getRandomValues(new Uint32Array(2)).join('-')
  const answers = new Set<(ids: string[]) => void>()
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if ('ask' in data) {
      const mine = new Set(inHand())
      const have = data.ask.filter((id) => mine.has(id))
      if (have.length > 0) channel.postMessage({ have, for: data.of } satisfies TabMessage)
    } else if (data.for === me) {
      for (const answer of answers) answer(data.have)
    }
  }
  return {
    heldByOtherTabs: (ids) =>
      new Promise((resolve) => {
        const held = new Set<string>()
        const answer = (have: string[]) => {
          for (const id of have) held.add(id)
        }
        answers.add(answer)
        channel.postMessage({ ask: ids, of: me } satisfies TabMessage)
        setTimeout(() => {
          answers.delete(answer)
          resolve(held)
        }, ANSWER_WITHIN)
      }),
    [Symbol.dispose]: () => channel.close(),
  }
}
