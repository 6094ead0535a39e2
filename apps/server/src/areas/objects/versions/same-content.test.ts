import { expect, test } from 'vitest'
import { compareByHeaders } from './same-content.ts'

const full = (checksums: object) => ({ 'x-amz-checksum-type': 'FULL_OBJECT', ...checksums })

test.each([
  ['equal ETags', { etag: '"a"' }, { etag: '"a"' }, true],
  ['different ETags, which may be of parts or encrypted', { etag: '"a-2"' }, { etag: '"b"' }, undefined],
  ['no ETags', {}, {}, undefined],
  [
    'equal checksums of the whole object',
    full({ etag: '"a-2"', 'x-amz-checksum-crc32': 'x' }),
    full({ etag: '"b"', 'x-amz-checksum-crc32': 'x' }),
    true,
  ],
  [
    'different checksums of the whole object, though the ETags are equal',
    full({ etag: '"a"', 'x-amz-checksum-sha256': 'x' }),
    full({ etag: '"a"', 'x-amz-checksum-sha256': 'y' }),
    false,
  ],
  [
    'checksums of parts, which depend on the parts',
    { etag: '"a-2"', 'x-amz-checksum-type': 'COMPOSITE', 'x-amz-checksum-sha256': 'x-2' },
    { etag: '"b-3"', 'x-amz-checksum-type': 'COMPOSITE', 'x-amz-checksum-sha256': 'y-3' },
    undefined,
  ],
  [
    'checksums of two kinds',
    full({ etag: '"a"', 'x-amz-checksum-sha256': 'x' }),
    full({ etag: '"b"', 'x-amz-checksum-crc32': 'y' }),
    undefined,
  ],
])('%s: %s', (_, a, b, same) => {
  expect(compareByHeaders(a, b)).toBe(same)
})
