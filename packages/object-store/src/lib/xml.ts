import { readLargeXml, readXml, type XmlDocument, type XmlNode } from '@stowage/madmin/xml'
import { S3Error } from './errors.ts'

export { type XmlNode, xmlChild, xmlChildren, xmlChildText } from '@stowage/madmin/xml'
/** The elements of a root by their names. */
export type XmlRootContent = { [name: string]: XmlNode | XmlNode[] }

export const S3_NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'
export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

const SPECIAL = /[&<>"'\u0000-\u001f\ufffe\uffff]/
const ALL_SPECIAL = new RegExp(SPECIAL.source, 'g')
const UTF8 = new TextDecoder('utf-8', { fatal: true })
const NAMED: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // Unescaped, a reader would treat them as whitespace of the document.
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}

/**
 * Text made safe inside an element. A character that XML 1.0 cannot carry, by reference neither, becomes U+FFFD: with it
 * most clients could read nothing of the answer. Who needs such keys exactly lists with `encoding-type=url`.
 */
export function escapeXml(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text.replace(ALL_SPECIAL, (c) => NAMED[c] ?? '\ufffd')
}

/** `<name>escaped text</name>` */
export function xmlTag(name: string, text: string | number | boolean): string {
  return `<${name}>${typeof text === 'string' ? escapeXml(text) : text}</${name}>`
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
