import { useEffect } from 'react'
import { queryClient } from '../api/query.ts'

/** Returns `Buckets – Stowage`; in operator mode the fixed title of the specification. */
export function documentTitle(page: string, operator: boolean): string {
  return operator ? 'MinIO Operator' : `${page} – Stowage`
}

/** Sets the title of the document, which screen readers announce as the page's name. */
export function usePageTitle(page: string) {
  useEffect(() => {
    const session = queryClient.getQueryData<{ operator?: boolean }>(['getSession', {}])
    document.title = documentTitle(page, session?.operator === true)
  }, [page])
}
