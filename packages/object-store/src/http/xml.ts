import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { S3Error } from '../errors.ts'

export const S3_NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'
export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

const SPECIAL = /[&<>"'\u0000-\u001f\u007f\ufffe\uffff]/
const ALL_SPECIAL = new RegExp(SPECIAL.source, 'g')
const NAMED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text made safe inside an element; characters that XML cannot carry go as numeric references, as S3 sends them. */
export function escapeXml(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text.replace(ALL_SPECIAL, (c) => NAMED[c] ?? `&#x${c.charCodeAt(0).toString(16).toUpperCase()};`)
}

/** `<name>escaped text</name>` */
export function tag(name: string, text: string | number | boolean): string {
  return `<${name}>${typeof text === 'string' ? escapeXml(text) : text}</${name}>`
}

/** As `tag`, and nothing for an undefined or empty text. */
export function optionalTag(name: string, text: string | number | undefined): string {
  return text === undefined || text === '' ? '' : tag(name, text)
}

/** A document of S3's namespace. */
export function s3Document(root: string, content: string): string {
  return `${XML_HEAD}<${root} xmlns="${S3_NAMESPACE}">${content}</${root}>`
}

/** Parsed XML: text, or child elements by name; repeated ones as an array. */
export type XmlNode = string | { [name: string]: XmlNode | XmlNode[] }

const parser = new XMLParser({
  // Values stay as sent: key `0012` is no number, and blanks in a key count.
  parseTagValue: false,
  trimValues: false,
  ignoreAttributes: true,
  ignoreDeclaration: true,
  removeNSPrefix: true,
  htmlEntities: true,
})

/**
 * Reads an XML body whose root element has one of these names.
 * @throws S3Error MalformedXML; documents with a DOCTYPE are refused, so entities cannot multiply
 */
export function parseXml(text: string, ...roots: string[]): { [name: string]: XmlNode | XmlNode[] } {
  const malformed = (cause?: unknown) =>
    new S3Error('MalformedXML', 'The XML you provided was not well-formed or did not validate against our schema', {
      cause,
    })
  if (text.includes('<!')) {
    const declared = text.replace(/<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>/g, '')
    if (declared.includes('<!')) throw malformed()
  }
  let parsed: Record<string, XmlNode | XmlNode[]>
  try {
    if (XMLValidator.validate(text) !== true) throw malformed()
    parsed = parser.parse(text) as typeof parsed
  } catch (error) {
    throw error instanceof S3Error ? error : malformed(error)
  }
  for (const name of roots) {
    const root = parsed[name]
    if (root === undefined || Array.isArray(root)) continue
    // An element without children is parsed as its text.
    if (typeof root === 'object') return root
    if (root.trim() === '') return {}
  }
  throw malformed()
}

/** The child elements of this name, however many. */
export function children(node: XmlNode | undefined, name: string): XmlNode[] {
  if (node === undefined || typeof node === 'string') return []
  const found = node[name]
  if (found === undefined) return []
  return Array.isArray(found) ? found : [found]
}

/** The first child element of this name. */
export function child(node: XmlNode | undefined, name: string): XmlNode | undefined {
  return children(node, name)[0]
}

/** The text of the first child element of this name; undefined when it is absent or has elements itself. */
export function childText(node: XmlNode | undefined, name: string): string | undefined {
  const found = child(node, name)
  return typeof found === 'string' ? found : undefined
}
