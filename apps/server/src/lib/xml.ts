import { XMLParser, XMLValidator } from 'fast-xml-parser'

/** An element as read: its children by name, several of one name as an array, or its text. */
export type XmlNode = string | XmlNode[] | { [name: string]: XmlNode }
export type XmlObject = { [name: string]: XmlNode }

const parser = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  // Keys such as `0012` and ` x ` must come through as they are.
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true,
  processEntities: {
    enabled: true,
    maxTotalExpansions: Number.POSITIVE_INFINITY,
    maxExpandedLength: Number.POSITIVE_INFINITY,
  },
})

/** Reads a document. @throws SyntaxError when it is not well-formed: the parser alone would read on */
export function readXml(text: string): XmlObject {
  const valid = XMLValidator.validate(text)
  if (valid !== true) throw new SyntaxError(`not XML: ${valid.err.msg}`)
  return parser.parse(text) as XmlObject
}

/** The child of an element, or undefined when there is none. */
export function childOf(node: XmlNode | undefined, name: string): XmlNode | undefined {
  return typeof node === 'object' && !Array.isArray(node) && Object.hasOwn(node, name) ? node[name] : undefined
}

/** The text of a child; empty when there is none. */
export function textOf(node: XmlNode | undefined, name: string): string {
  const child = childOf(node, name)
  return typeof child === 'string' ? child : ''
}

/** All children of one name. */
export function childrenOf(node: XmlNode | undefined, name: string): XmlNode[] {
  const child = childOf(node, name)
  if (child === undefined) return []
  return Array.isArray(child) ? child : [child]
}

/** Text made safe to stand in an element. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"'\r\n\t]/g, (char) => `&#${char.charCodeAt(0)};`)
}

/** Whether XML 1.0 can carry a text; several control characters have no spelling in it. */
export function fitsXml(text: string): boolean {
  return !/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u.test(text)
}
