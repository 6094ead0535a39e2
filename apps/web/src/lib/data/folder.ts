import type { Output } from '@stowage/contract'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../api/api.ts'

/** Entries of the first page: enough for any window, and there sooner. */
const FIRST = 250
/** Entries of the pages behind it, the most that a server gives at once. */
const NEXT = 1000

/** The entries of a folder page by page, by their keys' beginning. */
export function folderQuery(bucket: string, prefix: string) {
  const input = { params: { bucket }, query: { prefix } }
  return infiniteQueryOptions({
    queryKey: ['listObjects', input, 'pages'] as const,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }): Promise<Output<'listObjects'>> => {
      const page = pageParam === '' ? { limit: FIRST } : { limit: NEXT, continuation: pageParam }
      return call('listObjects', { ...input, query: { ...input.query, ...page }, signal })
    },
    getNextPageParam: (last) => last.next,
  })
}

/** The entries of a folder as it was at a date, page by page. */
export function rewindQuery(bucket: string, prefix: string, date: string) {
  const input = { params: { bucket, date }, query: { prefix } }
  return infiniteQueryOptions({
    queryKey: ['rewindObjects', input, 'pages'] as const,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }): Promise<Output<'rewindObjects'>> => {
      const page = { limit: NEXT, ...(pageParam === '' ? {} : { continuation: pageParam }) }
      return call('rewindObjects', { ...input, query: { ...input.query, ...page }, signal })
    },
    getNextPageParam: (last) => last.next,
  })
}
