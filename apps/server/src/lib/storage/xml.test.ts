import fc from 'fast-check'
import { XMLParser } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { childrenOf, escapeXml, fitsXml, readXml, textOf } from './xml.ts'

test('a listing is read as it is, blanks and leading zeros too', () => {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
  <Name>b</Name><Prefix/><Delimiter></Delimiter>
  <Contents><Key>0012</Key><ETag>&#34;9a&#x30;&quot;</ETag><Size>7</Size></Contents>
  <Contents><Key> x </Key><Owner><ID>1</ID></Owner></Contents>
</ListBucketResult>
`
  const { ListBucketResult: root } = readXml(xml)
  expect(textOf(root, 'Name')).toBe('b')
  expect(textOf(root, 'Prefix')).toBe('')
  const [first, second] = childrenOf(root, 'Contents')
  expect(first).toEqual({ Key: '0012', ETag: '"9a0"', Size: '7' })
  expect(second).toEqual({ Key: ' x ', Owner: { ID: '1' } })
  expect(childrenOf(root, 'CommonPrefixes')).toEqual([])
})

test('any text that XML can carry comes back from an element', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 30 }).filter(fitsXml), (text) => {
      expect(readXml(`<a><b>${escapeXml(text)}</b></a>`)).toEqual({ a: { b: text } })
    }),
  )
})

test('it reads what a general parser reads', () => {
  const library = new XMLParser({ parseTagValue: false, trimValues: false, htmlEntities: true })
  const name = fc.constantFrom('Key', 'Size', 'Contents', 'x-amz-meta-a', 'A1')
  const { node } = fc.letrec<{ node: string; leaf: string; parent: string }>((tie) => ({
    node: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('parent')),
    leaf: fc.tuple(name, fc.string({ maxLength: 5 })).map(([tag, text]) => `<${tag} n="1">${escapeXml(text)}</${tag}>`),
    parent: fc
      .tuple(name, fc.array(tie('node'), { minLength: 1, maxLength: 4 }))
      .map(([tag, inner]) => `<${tag}>${inner.join('')}</${tag}>`),
  }))
  fc.assert(
    fc.property(node, (xml) => {
      expect(readXml(`<r>${xml}</r>`)).toEqual(library.parse(`<r>${xml}</r>`))
    }),
  )
})

test.each(['<a>', '<a></b>', '</a>', '<a><b></a></b>', '<a>x', '<a/><b', '<a><![CDATA[x]]></a>', '<a><!-- x --></a>'])(
  '%s is refused',
  (xml) => expect(() => readXml(xml)).toThrow(SyntaxError),
)

test('names of the language’s own objects are names like others', () => {
  expect(Object.keys(readXml('<a><__proto__>x</__proto__><constructor>y</constructor></a>').a ?? {})).toEqual([
    '__proto__',
    'constructor',
  ])
})
