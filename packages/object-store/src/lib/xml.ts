import { escapeXml, readLargeXml, readXml, type XmlDocument, type XmlNode } from '@stowage/madmin/xml'
import { S3Error } from './errors.ts'

export { children, type XmlNode, xmlChild, xmlChildText } from '@stowage/madmin/xml'
/** The elements of a root by their names. */
export type XmlRootContent = { [name: string]: XmlNode | XmlNode[] }

export const S3_NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'
export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

const UTF8 = new TextDecoder('utf-8', { fatal: true })
/**
 * Escapes a text for use in an element. A character that XML 1.0 cannot represent becomes U+FFFD, because most clients could
 * read nothing of an answer with it. Clients that need such keys list with `encoding-type=url`.
 */
export const toXmlText = (text: string) => escapeXml(text, '\ufffd')

/** `<name>escaped text</name>` */
export function xmlTag(name: string, text: string | number | boolean): string {
  return `<${name}>${typeof text === 'string' ? toXmlText(text) : text}</${name}>`
}

/** Like `xmlTag`, but returns nothing for an undefined or empty text. */
export function optionalXmlTag(name: string, text: string | number | undefined): string {
  return text === undefined || text === '' ? '' : xmlTag(name, text)
}

/** A document of S3's namespace. */
export function s3Document(root: string, content: string): string {
  return `${XML_HEAD}<${root} xmlns="${S3_NAMESPACE}">${content}</${root}>`
}

/**
 * Reads an XML body of some kilobytes, whose root element has one of these names.
 * @throws S3Error MalformedXML, also for bytes that are no UTF-8 and for a DOCTYPE
 */
export function parseXml(body: string | Uint8Array, ...roots: string[]): XmlRootContent {
  try {
    return rootContent(readXml(decodeXml(body)), roots)
  } catch (cause) {
    throw malformed(cause)
  }
}

/** Like `parseXml`, for bodies of megabytes: other requests are not blocked. */
export async function parseLargeXml(body: string | Uint8Array, ...roots: string[]): Promise<XmlRootContent> {
  try {
    return rootContent(await readLargeXml(decodeXml(body)), roots)
  } catch (cause) {
    throw malformed(cause)
  }
}

function decodeXml(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : UTF8.decode(body)
}

function rootContent({ name, node }: XmlDocument, roots: readonly string[]): XmlRootContent {
  if (!roots.includes(name)) throw new TypeError(`the root element is ${name}`)
  if (typeof node === 'object') return node
  // An element without children is parsed as its text.
  if (node.trim() === '') return {}
  throw new TypeError(`the element ${name} is a text`)
}

function malformed(cause: unknown): S3Error {
  return new S3Error(
    'MalformedXML',
    'The XML you provided was not well-formed or did not validate against our schema',
    {
      cause,
    },
  )
}
