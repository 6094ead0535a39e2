import { setImmediate } from 'node:timers/promises'

/** Parsed XML: text, or child elements by name; repeated elements are an array. */
export type XmlNode = string | { [name: string]: XmlNode | XmlNode[] }

/** Maximum depth; no body in S3 is nested deeper than six elements. */
const MAX_DEPTH = 32
/** Maximum number of elements; enough for 10,000 parts of an upload with number, ETag and all checksums. */
const MAX_ELEMENTS = 100_000
/** Maximum number of different child elements, by default; no element in S3 has as many. */
const MAX_NAMES = 64
/** Maximum length of a text, tag or comment in characters: a key of 1,024 bytes takes at most 12 KiB. */
const MAX_PIECE = 64 * 1024
/** Maximum length of a tag that is recognized without parsing its name again (characters). */
const MAX_KNOWN = 64
/** Number of characters parsed before other requests get their turn: about 2 ms. */
const SLICE = 32 * 1024

// Each expression is tried at one position and can match in only one way, so that none takes longer than its match.
const NAME = /[A-Za-z_:\u0080-\uffff][-.\w:\u0080-\uffff]*/y
const ATTRIBUTE = /\s+([A-Za-z_:\u0080-\uffff][-.\w:\u0080-\uffff]*)\s*=\s*("[^"<]*"|'[^'<]*')/y
const TAG_END = /\s*(\/?)>/y
const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

const ESCAPED: Readonly<Record<string, string>> = {
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
const SPECIAL = /[&<>"'\0-\x1f\ufffe\uffff]/
const ALL_SPECIAL = new RegExp(SPECIAL.source, 'g')

/**
 * Escapes a text for use in an element.
 * @param invalid replaces each character that XML 1.0 cannot represent; without it they remain, and readers refuse the document
 */
export function escapeXml(text: string, invalid?: string): string {
  if (!SPECIAL.test(text)) return text
  return text.replace(ALL_SPECIAL, (character) => ESCAPED[character] ?? invalid ?? character)
}

interface OpenElement {
  /** With its prefix, which the end tag repeats. */
  name: string
  text: string
  children: { [name: string]: XmlNode | XmlNode[] } | undefined
  /** Number of different child names. */
  names: number
}

/**
 * Parses a document in linear time, because anyone may send one. Drops prefixes, attributes, and the text of elements with
 * children. Supports character references and the five predefined entities only: anything else would have to be guessed, and a
 * guessed key is a different key.
 * @throws XmlSyntaxError
 */
export function readXml(text: string, options: XmlOptions = {}): XmlDocument {
  const steps = new XmlReader(text, options).read()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Like `readXml`, for documents of megabytes: other requests get their turn every few milliseconds. */
export async function readLargeXml(text: string, options: XmlOptions = {}): Promise<XmlDocument> {
  const steps = new XmlReader(text, options).read()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await setImmediate()
  }
}

export interface XmlOptions {
  /**
   * Maximum number of different child elements. Listings have elements named after user metadata, so they need more. Default
   * 64.
   */
  maxNames?: number
}

export interface XmlDocument {
  name: string
  node: XmlNode
}

/** The document is not XML, or has a DOCTYPE. */
export class XmlSyntaxError extends SyntaxError {
  override readonly name = 'XmlSyntaxError'
}

/** Returns all child elements with this name. */
export function children(node: XmlNode | undefined, name: string): XmlNode[] {
  if (node === undefined || typeof node === 'string') return []
  const found = node[name]
  if (found === undefined) return []
  return Array.isArray(found) ? found : [found]
}

/** Returns the first child element with this name. */
export function xmlChild(node: XmlNode | undefined, name: string): XmlNode | undefined {
  return children(node, name)[0]
}

/** Returns the text of the first child element with this name; undefined if it is absent or has child elements. */
export function xmlChildText(node: XmlNode | undefined, name: string): string | undefined {
  const found = xmlChild(node, name)
  return typeof found === 'string' ? found : undefined
}

class XmlReader {
  readonly #text: string
  readonly #maxNames: number
  #at = 0
  readonly #open: OpenElement[] = []
  /** Start tags without attributes that were read before, without their brackets: listings repeat the same few. */
  readonly #known = new Set<string>()
  #elements = 0
  #root: XmlDocument | undefined

  constructor(text: string, { maxNames = MAX_NAMES }: XmlOptions) {
    this.#text = text
    this.#maxNames = maxNames
  }

  /** Yields after each slice of the text. No step between two yields is longer than a piece. */
  *read(): Generator<void, XmlDocument, void> {
    const text = this.#text
    let slice = SLICE
    while (this.#at < text.length) {
      const from = this.#at
      const next = text.indexOf('<', from)
      const end = next < 0 ? text.length : next
      if (end > from) this.#addText(this.#piece(from, end))
      this.#at = end
      if (next >= 0) this.#markup()
      if (this.#at > slice) {
        slice = this.#at + SLICE
        yield
      }
    }
    if (!this.#root) throw new XmlSyntaxError('the document is not complete')
    return this.#root
  }

  #piece(from: number, to: number): string {
    checkLength(from, to)
    const piece = this.#text.slice(from, to)
    // Normalizes line ends as XML requires. Five times as fast as `replace` for a text with many.
    return piece.includes('\r') ? piece.split('\r\n').join('\n').split('\r').join('\n') : piece
  }

  #markup(): void {
    const text = this.#text
    if (text.startsWith('</', this.#at)) this.#endTag()
    else if (text.startsWith('<!--', this.#at)) this.#upTo('<!--', '-->')
    else if (text.startsWith('<![CDATA[', this.#at)) this.#add(this.#upTo('<![CDATA[', ']]>'))
    else if (text.startsWith('<?', this.#at)) checkEncoding(this.#upTo('<?', '?>'))
    // Declarations are refused too, so there are no entities that could multiply.
    else this.#startTag()
  }

  /** Skips to the end of a section, and returns its content. */
  #upTo(begin: string, end: string): string {
    const from = this.#at + begin.length
    const to = this.#text.indexOf(end, from)
    if (to < 0) throw new XmlSyntaxError(`${begin} is not closed`)
    this.#at = to + end.length
    return this.#piece(from, to)
  }

  #startTag(): void {
    const from = this.#at++
    if (++this.#elements > MAX_ELEMENTS) throw new XmlSyntaxError('there are too many elements')
    const known = this.#knownTag()
    const name = known ?? this.#match(NAME)?.[0]
    if (name === undefined) throw new XmlSyntaxError('an element has no name')
    if (this.#root || this.#open.length >= MAX_DEPTH) throw new XmlSyntaxError('there is one element too many')
    if (known !== undefined) {
      this.#at += known.length + 1
      this.#open.push({ name, text: '', children: undefined, names: 0 })
      return
    }
    for (let found = this.#match(ATTRIBUTE); found; found = this.#match(ATTRIBUTE)) {
      checkLength(from, this.#at)
      resolveReferences(found[2] ?? '')
    }
    const end = this.#match(TAG_END)
    checkLength(from, this.#at)
    if (!end) throw new XmlSyntaxError(`the tag ${name} is not closed`)
    this.#open.push({ name, text: '', children: undefined, names: 0 })
    if (end[1] !== '') this.#close()
    else if (this.#at - from === name.length + 2) this.#known.add(name)
  }

  /** Returns the tag that begins here if the same text was read before. */
  #knownTag(): string | undefined {
    const end = this.#text.indexOf('>', this.#at)
    // A longer tag has attributes or is rare.
    if (end < 0 || end - this.#at > MAX_KNOWN) return undefined
    const tag = this.#text.slice(this.#at, end)
    return this.#known.has(tag) ? tag : undefined
  }

  #endTag(): void {
    this.#at += 2
    const open = this.#open.at(-1)?.name
    if (open !== undefined && this.#text.startsWith(open, this.#at) && this.#text[this.#at + open.length] === '>') {
      this.#at += open.length + 1
      this.#close()
      return
    }
    const name = this.#match(NAME)?.[0]
    const end = this.#match(TAG_END)
    if (name === undefined || name !== this.#open.at(-1)?.name || end?.[1] !== '') {
      throw new XmlSyntaxError('an end tag fits no element')
    }
    this.#close()
  }

  #close(): void {
    const element = this.#open.pop()
    if (!element) return
    const name = element.name.slice(element.name.indexOf(':') + 1)
    const node = element.children ?? element.text
    const parent = this.#open.at(-1)
    if (!parent) {
      this.#root = { name, node }
      return
    }
    // Without a prototype, whose members would look like elements of the document.
    parent.children ??= Object.create(null) as Record<string, XmlNode>
    const known = parent.children[name]
    if (known === undefined) {
      if (++parent.names > this.#maxNames) throw new XmlSyntaxError('there are too many different elements in one')
      parent.children[name] = node
    } else if (Array.isArray(known)) known.push(node)
    else parent.children[name] = [known, node]
  }

  #addText(raw: string): void {
    if (raw.includes(']]>')) throw new XmlSyntaxError(']]> stands outside of CDATA')
    if (this.#open.length > 0) this.#add(resolveReferences(raw))
    else if (/\S/.test(raw)) throw new XmlSyntaxError('there is text outside of the root')
  }

  #add(text: string): void {
    const element = this.#open.at(-1)
    if (!element) throw new XmlSyntaxError('there is text outside of the root')
    element.text += text
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found) this.#at = pattern.lastIndex
    return found
  }
}

function checkLength(from: number, to: number): void {
  if (to - from > MAX_PIECE) throw new XmlSyntaxError('a text, tag or comment is too long')
}

/** Texts are decoded as UTF-8; a document with another encoding would be misread. */
function checkEncoding(instruction: string): void {
  if (!/^xml\s/.test(instruction)) return
  const encoding = /\sencoding\s*=\s*["']([^"']*)/.exec(instruction)?.[1]
  if (encoding !== undefined && encoding.toLowerCase() !== 'utf-8') {
    throw new XmlSyntaxError('the document is not in UTF-8')
  }
}

/** Replaces references with their characters. */
function resolveReferences(raw: string): string {
  let resolved = ''
  let from = 0
  for (let at = raw.indexOf('&'); at >= 0; at = raw.indexOf('&', from)) {
    const end = raw.indexOf(';', at)
    const name = end < 0 ? '' : raw.slice(at + 1, end)
    const character = name.startsWith('#') ? parseCharacterReference(name) : ENTITIES.get(name)
    if (character === undefined) throw new XmlSyntaxError('a reference is none of XML')
    resolved += raw.slice(from, at) + character
    from = end + 1
  }
  return resolved + raw.slice(from)
}

/**
 * Parses `#65` or `#x41`. Control characters too, which XML does not allow: listings contain them in keys. But not zero, which
 * no text in S3 contains.
 */
function parseCharacterReference(name: string): string | undefined {
  const [, hexadecimal, decimal] = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(name) ?? []
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : undefined
}
