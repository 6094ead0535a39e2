import fc from 'fast-check'
import { expect, test } from 'vitest'
import { childrenOf, escapeXml, isXmlText, parseStorageXml, xmlText } from './storage-xml.ts'

test('a listing is read unchanged, including spaces and leading zeros', () => {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
  <Name>b</Name><Prefix/><Delimiter></Delimiter>
  <Contents><Key>0012</Key><ETag>&#34;9a&#x30;&quot;</ETag><Size>7</Size></Contents>
  <Contents><Key> x </Key><Owner><ID>1</ID></Owner></Contents>
</ListBucketResult>
`
  const { name, node: root } = parseStorageXml(xml)
  expect([name, xmlText(root, 'Name'), xmlText(root, 'Prefix')]).toEqual(['ListBucketResult', 'b', ''])
  const [first, second] = childrenOf(root, 'Contents')
  expect(first).toEqual({ Key: '0012', ETag: '"9a0"', Size: '7' })
  expect(second).toEqual({ Key: ' x ', Owner: { ID: '1' } })
  expect(childrenOf(root, 'CommonPrefixes')).toEqual([])
})

test('any text that XML can represent can be read back from an element', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 30 }).filter(isXmlText), (text) => {
      expect(parseStorageXml(`<a><b>${escapeXml(text)}</b></a>`)).toEqual({ name: 'a', node: { b: text } })
    }),
  )
})

test('an object may have as much metadata as fits', () => {
  const names = Array.from({ length: 1000 }, (_, n) => `<n${n}>v</n${n}>`)
  const { node } = parseStorageXml(`<L><Contents><UserMetadata>${names.join('')}</UserMetadata></Contents></L>`)
  expect(Object.keys(childrenOf(childrenOf(node, 'Contents')[0], 'UserMetadata')[0] ?? {})).toHaveLength(1000)
})
