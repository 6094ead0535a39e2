import { useEffect } from 'react'
import { queryClient } from '../api/query.ts'

/** `Buckets – Stowage`; in operator mode the specification's fixed title. */
export function titleOf(page: string, operator: boolean): string {
  return operator ? 'MinIO Operator' : `${page} – Stowage`
}

/** Names the browser's tab and, for screen readers, the page. */
export function usePageTitle(page: string) {
  useEffect(() => {
    const session = queryClient.getQueryData<{ operator?: boolean }>(['getSession', {}])
    document.title = titleOf(page, session?.operator === true)
  }, [page])
}
