import fc from 'fast-check'
import { XMLParser } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { readXml, type XmlDocument, XmlSyntaxError } from './xml.ts'

const escaped = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
const asLibrary = ({ name, node }: XmlDocument) => ({ [name]: node })

test('it reads the same as a general parser', () => {
  const library = new XMLParser({ parseTagValue: false, trimValues: false, htmlEntities: true })
  const name = fc.constantFrom('Key', 'Size', 'Contents', 'x-amz-meta-a', 'A1')
  const { node } = fc.letrec<{ node: string; leaf: string; parent: string }>((tie) => ({
    node: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('parent')),
    leaf: fc.tuple(name, fc.string({ maxLength: 5 })).map(([tag, text]) => `<${tag} n="1">${escaped(text)}</${tag}>`),
    parent: fc
      .tuple(name, fc.array(tie('node'), { minLength: 1, maxLength: 4 }))
      .map(([tag, inner]) => `<${tag}>${inner.join('')}</${tag}>`),
  }))
  fc.assert(
    fc.property(node, (xml) => {
      expect(asLibrary(readXml(`<r>${xml}</r>`))).toEqual(library.parse(`<r>${xml}</r>`))
    }),
  )
})

test.each(['<a>', '<a></b>', '</a>', '<a><b></a></b>', '<a>x', '<a/><b', '<!DOCTYPE a><a/>'])('%s is refused', (xml) =>
  expect(() => readXml(xml)).toThrow(XmlSyntaxError),
)
