import { compileGlob, type Glob, globMatches } from '@stowage/iam-policy'
import { S3Error } from '../lib/errors.ts'
import { children, optionalXmlTag, parseXml, s3Document, type XmlNode, xmlChildText, xmlTag } from '../lib/xml.ts'
import type { SettingCodec } from './setting-codec.ts'

/** What pages of other origins may do with a bucket. */
export interface BucketCorsRule {
  id: string
  /** Each with at most one `*`, which matches any text. */
  origins: readonly string[]
  methods: readonly string[]
  /** Lower case; with one `*` each at most. */
  headers: readonly string[]
  exposed: readonly string[]
  maxAgeSeconds?: number
}
export type CorsSetting = readonly BucketCorsRule[]

const METHODS = new Set(['GET', 'PUT', 'HEAD', 'POST', 'DELETE'])
const MAX_RULES = 100
const MAX_ITEMS = 100
const HEADER = /^[-!#$%&'*+.^_`|~0-9a-z]{1,200}$/i

export const corsCodec: SettingCodec<CorsSetting> = {
  read(document) {
    const rules = children(parseXml(document, 'CORSConfiguration'), 'CORSRule')
    if (rules.length < 1 || rules.length > MAX_RULES) throw malformed(`There must be 1 to ${MAX_RULES} rules.`)
    return rules.map(readRule)
  },
  write(rules) {
    return s3Document('CORSConfiguration', rules.map(writeRule).join(''))
  },
}

function readRule(node: XmlNode): BucketCorsRule {
  const origins = readItems(node, 'AllowedOrigin')
  const methods = readItems(node, 'AllowedMethod')
  const headers = readItems(node, 'AllowedHeader').map((header) => header.toLowerCase())
  const exposed = readItems(node, 'ExposeHeader')
  if (origins.length === 0 || methods.length === 0) throw malformed('A CORSRule needs AllowedOrigin and AllowedMethod.')
  for (const text of [...origins, ...headers]) {
    if (text.split('*').length > 2) throw invalid(`"${text}" can not have more than one wildcard.`)
  }
  for (const origin of origins)
    if (!/^[\x21-\x7e]{1,500}$/.test(origin)) throw invalid('An AllowedOrigin is not valid.')
  for (const method of methods) {
    if (!METHODS.has(method))
      throw invalid(`Found unsupported HTTP method in CORS config. Unsupported method is ${method}`)
  }
  for (const header of [...headers, ...exposed]) if (!HEADER.test(header)) throw invalid('A header name is not valid.')
  if (exposed.some((header) => header.includes('*'))) throw invalid('An ExposeHeader can not have a wildcard.')
  const age = xmlChildText(node, 'MaxAgeSeconds')?.trim()
  if (age !== undefined && !/^\d{1,9}$/.test(age)) throw malformed('MaxAgeSeconds must be a number.')
  const id = xmlChildText(node, 'ID') ?? ''
  if (id.length > 255) throw invalid('The ID of a rule has 255 characters at most.')
  return { id, origins, methods, headers, exposed, ...(age !== undefined && { maxAgeSeconds: Number(age) }) }
}

function readItems(node: XmlNode, name: string): string[] {
  const found = children(node, name).map((item) => (typeof item === 'string' ? item.trim() : ''))
  if (found.length > MAX_ITEMS) throw malformed(`A rule has ${MAX_ITEMS} elements ${name} at most.`)
  return found
}

function writeRule({ id, origins, methods, headers, exposed, maxAgeSeconds }: BucketCorsRule): string {
  const all = (name: string, texts: readonly string[]) => texts.map((text) => xmlTag(name, text)).join('')
  const content =
    optionalXmlTag('ID', id) +
    all('AllowedHeader', headers) +
    all('AllowedMethod', methods) +
    all('AllowedOrigin', origins) +
    all('ExposeHeader', exposed) +
    (maxAgeSeconds === undefined ? '' : xmlTag('MaxAgeSeconds', maxAgeSeconds))
  return `<CORSRule>${content}</CORSRule>`
}

/** The first rule that allows a request of a page; undefined when none does. */
export function findCorsRule(
  rules: CorsSetting,
  { origin, method, headers }: { origin: string; method: string; headers: readonly string[] },
): BucketCorsRule | undefined {
  return rules.find((rule) => {
    if (!rule.methods.includes(method)) return false
    const globs = corsGlobs(rule)
    return (
      globs.origins.some((glob) => globMatches(glob, origin)) &&
      headers.every((header) => globs.headers.some((glob) => globMatches(glob, header.toLowerCase())))
    )
  })
}

interface CorsGlobs {
  origins: readonly Glob[]
  headers: readonly Glob[]
}

const compiled = new WeakMap<BucketCorsRule, CorsGlobs>()

/** Returns the patterns of a rule, which are compiled once. */
function corsGlobs(rule: BucketCorsRule): CorsGlobs {
  let globs = compiled.get(rule)
  if (!globs) {
    const compile = (pattern: string) => compileGlob(pattern, { questionMark: 'literal' })
    globs = { origins: rule.origins.map(compile), headers: rule.headers.map(compile) }
    compiled.set(rule, globs)
  }
  return globs
}

const malformed = (message: string) => new S3Error('MalformedXML', message)
const invalid = (message: string) => new S3Error('InvalidRequest', message)
