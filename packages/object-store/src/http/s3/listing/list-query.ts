import { S3Error } from '../../../lib/errors.ts'
import { optionalXmlTag, toXmlText, xmlTag } from '../../../lib/xml.ts'
import type { StoreCall } from '../../call/call.ts'

const PAGE = 1000

/** Reads a limit such as `max-keys`: at most 1,000, which is also the default. @throws S3Error InvalidArgument */
export function requestedLimit(call: StoreCall, parameter: string): number {
  const text = call.query.get(parameter)
  if (text === null || text === '') return PAGE
  if (!/^\d{1,10}$/.test(text)) {
    throw new S3Error('InvalidArgument', `Argument ${parameter} must be an integer between 0 and 2147483647`)
  }
  return Math.min(PAGE, Number(text))
}

/** Form of names in a listing: text, or percent-encoded with `encoding-type=url`. */
export interface NameEncoding {
  isUrlEncoded: boolean
  write: (name: string) => string
}

/** @throws S3Error InvalidArgument */
export function requestedNameEncoding(call: StoreCall): NameEncoding {
  const type = call.query.get('encoding-type')
  if (type === null || type === '') return { isUrlEncoded: false, write: toXmlText }
  if (type.toLowerCase() !== 'url') throw new S3Error('InvalidArgument', 'Invalid Encoding Method specified in Request')
  return { isUrlEncoded: true, write: encodeName }
}

/** Encodes a name for `encoding-type=url` like S3: as in a form, with `+` for a space, but without encoding slashes. */
export function encodeName(name: string): string {
  return encodeURIComponent(name).replace(/%20|%2F|[!'()~]/g, (found) => {
    if (found === '%20') return '+'
    if (found === '%2F') return '/'
    return `%${found.charCodeAt(0).toString(16).toUpperCase()}`
  })
}

/** Returns the elements with the parameters of the query. */
export function listHeadXml(call: StoreCall, form: NameEncoding, prefix: string, delimiter: string): string {
  return (
    xmlTag('Name', call.bucket) +
    `<Prefix>${form.write(prefix)}</Prefix>` +
    (delimiter === '' ? '' : `<Delimiter>${form.write(delimiter)}</Delimiter>`) +
    optionalXmlTag('EncodingType', form.isUrlEncoded ? 'url' : undefined)
  )
}

export function commonPrefixXml(form: NameEncoding, prefix: string): string {
  return `<CommonPrefixes><Prefix>${form.write(prefix)}</Prefix></CommonPrefixes>`
}
