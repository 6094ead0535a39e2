import { useState } from 'react'
import { useSearchParam } from '../../../lib/navigation/navigate.ts'
import { useSession } from '../../../lib/session/session.ts'

/**
 * The namespaces entered by a user without the right to list the whole cluster: kept for the next visit, and in the address
 * for links.
 */
export function useNamespaces(): [string | undefined, (namespaces: string | undefined) => void] {
  const { user, server } = useSession()
  const name = `stowage.namespaces:${user ?? ''}@${server ?? ''}`
  const [given, setGiven] = useSearchParam('namespaces')
  const [kept, setKept] = useState(() => read(name))
  const change = (namespaces: string | undefined) => {
    write(name, namespaces)
    setKept(namespaces)
    setGiven(namespaces)
  }
  return [given ?? kept, change]
}

function read(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

function write(name: string, namespaces: string | undefined) {
  try {
    if (namespaces === undefined) localStorage.removeItem(name)
    else localStorage.setItem(name, namespaces)
  } catch {
    // Storage is full or not allowed: the names are in the address only.
  }
}
