import type { Output } from '@stowage/contract'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../api/api.ts'

/** The size of the first page: enough for any window, and faster to load. */
const FIRST_PAGE_SIZE = 250
/** The size of further pages, the maximum that a server returns. */
const NEXT_PAGE_SIZE = 1000

/** Lists a folder page by page. A folder is a key prefix. */
export function folderQuery(bucket: string, prefix: string) {
  const input = { params: { bucket }, query: { prefix } }
  return infiniteQueryOptions({
    queryKey: ['listObjects', input, 'pages'] as const,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }): Promise<Output<'listObjects'>> => {
      const page = pageParam === '' ? { limit: FIRST_PAGE_SIZE } : { limit: NEXT_PAGE_SIZE, continuation: pageParam }
      return call('listObjects', { ...input, query: { ...input.query, ...page }, signal })
    },
    getNextPageParam: (last) => last.next,
  })
}

/** Lists a folder as it was at `date`, page by page. */
export function rewindQuery(bucket: string, prefix: string, date: string) {
  const input = { params: { bucket, date }, query: { prefix } }
  return infiniteQueryOptions({
    queryKey: ['rewindObjects', input, 'pages'] as const,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }): Promise<Output<'rewindObjects'>> => {
      const page = { limit: NEXT_PAGE_SIZE, ...(pageParam === '' ? {} : { continuation: pageParam }) }
      return call('rewindObjects', { ...input, query: { ...input.query, ...page }, signal })
    },
    getNextPageParam: (last) => last.next,
  })
}
