// @vitest-environment happy-dom
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { history } from '../../lib/navigate.ts'
import { parseBrowserPlace, paths } from '../../paths.ts'
import { router } from '../../routes.tsx'

/** Goes to an address as the app does, and reads what the router makes of it. */
function read(path: string) {
  history.replace(path)
  const { pathname, searchStr } = router.parseLocation(history.location)
  return parseBrowserPlace(pathname, Object.fromEntries(new URLSearchParams(searchStr)))
}

const piece = fc.oneof(
  fc.constantFrom(
    '/',
    '//',
    '.',
    '..',
    '%',
    '%2F',
    '%2',
    '+',
    '?',
    '#',
    '&',
    '=',
    ' ',
    '$',
    '$x',
    '{y}',
    '\\',
    '\u202e',
    '\u0000',
    '\t',
    '🚢',
  ),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
)
const key = fc
  .array(piece, { minLength: 1, maxLength: 8 })
  .map((pieces) => pieces.join(''))
  .filter((k) => k !== '')

test('every key comes back equal through history and router', () => {
  fc.assert(
    fc.property(key, (k) => {
      expect(read(paths.object('media-archive', k))).toMatchObject({ bucket: 'media-archive', key: k })
    }),
    { numRuns: 1000 },
  )
})

test('every folder comes back equal through history and router', () => {
  fc.assert(
    fc.property(key, (k) => {
      expect(read(paths.browse('media-archive', `${k}/`))).toEqual({ bucket: 'media-archive', prefix: `${k}/` })
    }),
    { numRuns: 1000 },
  )
})
