// @vitest-environment happy-dom
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { browserHistory } from '../../lib/navigation/navigate.ts'
import { parseBrowserLocation, pathToFolder, pathToObject } from '../../lib/navigation/object-address.ts'
import { router } from '../../routes.tsx'
import { anyKey } from '../../testing/keys.ts'

/** Opens an address as the app does, and returns what the router reads from it. */
function read(path: string) {
  browserHistory.replace(path)
  const { pathname, searchStr } = router.parseLocation(browserHistory.location)
  return parseBrowserLocation(pathname, searchStr)
}

test('every key is unchanged after a round trip through history and router', () => {
  fc.assert(
    fc.property(anyKey, (k) => {
      expect(read(pathToObject('media-archive', k))).toMatchObject({ bucket: 'media-archive', key: k })
    }),
    { numRuns: 1000 },
  )
})

test('every folder is unchanged after a round trip through history and router', () => {
  fc.assert(
    fc.property(anyKey, (k) => {
      expect(read(pathToFolder('media-archive', `${k}/`))).toEqual({ bucket: 'media-archive', prefix: `${k}/` })
    }),
    { numRuns: 1000 },
  )
})
