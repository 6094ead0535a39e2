import { readXml, type XmlDocument, type XmlNode, xmlChildText } from '@stowage/madmin/xml'

export {
  children as childrenOf,
  escapeXml,
  type XmlNode,
  XmlSyntaxError,
  xmlChild as childOf,
} from '@stowage/madmin/xml'

/**
 * Maximum number of different element names. Metadata names are elements of listings; 2 KiB of metadata have about this many.
 */
const MAX_NAMES = 1024

/** Parses an answer of a storage server. @throws XmlSyntaxError */
export function parseStorageXml(xml: string): XmlDocument {
  return readXml(xml, { maxNames: MAX_NAMES })
}

/** Returns the text of a child element; empty if the element does not exist. */
export function xmlText(node: XmlNode | undefined, name: string): string {
  return xmlChildText(node, name) ?? ''
}

/** Whether XML 1.0 can represent a text; it cannot represent most control characters. */
export function isXmlText(text: string): boolean {
  return !/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u.test(text)
}
