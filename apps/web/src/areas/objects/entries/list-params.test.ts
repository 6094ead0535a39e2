// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { parseBrowserLocation, pathToObject } from '../../../lib/navigation/object-address.ts'
import { withSearch } from '../../../lib/navigation/pages.ts'
import { pickListParams } from './list-params.ts'

test.each([
  ['', ''],
  ['?key=a%2F', ''],
  ['?objects.sort=-size&prefix=x%2F%2F&objects.filter=a%26b&other=1', 'objects.sort=-size&objects.filter=a%26b'],
  ['?starts=%C3%A9', 'starts=%C3%A9'],
])('the view of %s is %s', (search, view) => expect(pickListParams(search)).toBe(view))

test.each(['a/b.txt', 'a//b', 'a/b/'])('an address with view parameters refers to the same object %s', (key) => {
  const [pathname = '', search] = withSearch(pathToObject('media', key), 'objects.sort=-size').split('?')
  expect(parseBrowserLocation(pathname, search ?? '')).toMatchObject({ bucket: 'media', key })
  expect(pickListParams(search ?? '')).toBe('objects.sort=-size')
})
