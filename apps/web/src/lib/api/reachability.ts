import { useQuery } from '@tanstack/react-query'
import { consoleAddress } from '../base-path.ts'

/** Whether the storage server behind the console responds, and its response time. */
export type Reachability = { state: 'ok'; ms: number } | { state: 'down' }

async function checkServer(signal: AbortSignal): Promise<Reachability> {
  const start = performance.now()
  try {
    const response = await fetch(consoleAddress('/readyz'), { signal, cache: 'no-store' })
    // Read the body: an unread one keeps its connection open, and a browser has only six.
    await response.arrayBuffer()
    return response.ok ? { state: 'ok', ms: Math.max(1, Math.round(performance.now() - start)) } : { state: 'down' }
  } catch (error) {
    if (signal.aborted) throw error
    return { state: 'down' }
  }
}

/** Checks every 30 s while the page is visible. */
export function useReachability(): Reachability | undefined {
  const { data } = useQuery({
    queryKey: ['readyz'],
    queryFn: ({ signal }) => checkServer(signal),
    refetchInterval: 30_000,
    retry: false,
  })
  return data
}
