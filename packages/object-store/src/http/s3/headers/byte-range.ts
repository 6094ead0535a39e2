import { S3Error } from '../../../lib/errors.ts'

/** Inclusive. */
export interface RequestedRange {
  start: number
  end: number
}

/**
 * Reads a `Range` header for a body of this size. Anything but a single byte range is ignored, as HTTP requires.
 * @throws S3Error InvalidRange if the range contains no existing byte
 */
export function parseRange(header: string | undefined, size: number): RequestedRange | undefined {
  if (header === undefined) return undefined
  const match = /^bytes\s*=\s*(\d+\s*)?-\s*(\d+\s*)?$/.exec(header)
  if (!match) return undefined
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return undefined
  if (first === '') {
    const suffix = Number(last)
    if (suffix === 0 || size === 0) throw unsatisfiable(header, size)
    return { start: Math.max(0, size - suffix), end: size - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= size) throw unsatisfiable(header, size)
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

/** Reads the range of a copy source: `bytes=first-last`, both required and existing. @throws S3Error InvalidArgument */
export function parseCopyRange(header: string | undefined, size: number): RequestedRange | undefined {
  if (header === undefined) return undefined
  const match = /^bytes=(\d+)-(\d+)$/.exec(header)
  const start = Number(match?.[1])
  const end = Number(match?.[2])
  if (!match || start > end) {
    throw new S3Error('InvalidArgument', 'x-amz-copy-source-range must be of the form bytes=first-last.')
  }
  if (end >= size) throw new S3Error('InvalidRange', `Range ${header} is outside of the source of ${size} bytes.`)
  return { start, end }
}

function unsatisfiable(header: string, size: number): S3Error {
  return new S3Error('InvalidRange', 'The requested range is not satisfiable', {
    detail: { RangeRequested: header, ActualObjectSize: String(size) },
  })
}
