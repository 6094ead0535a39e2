import { S3Error } from '../../errors.ts'
import { escapeXml, optionalTag, tag } from '../../xml.ts'
import type { Call } from '../call.ts'

const PAGE = 1000

/** Reads a limit such as `max-keys`: at most 1,000, which is also the default. @throws S3Error InvalidArgument */
export function requestedLimit(call: Call, parameter: string): number {
  const text = call.query.get(parameter)
  if (text === null || text === '') return PAGE
  if (!/^\d{1,10}$/.test(text)) {
    throw new S3Error('InvalidArgument', `Argument ${parameter} must be an integer between 0 and 2147483647`)
  }
  return Math.min(PAGE, Number(text))
}

/** Form of names in a listing: text, or percent-encoded with `encoding-type=url`. */
export interface NameForm {
  encoded: boolean
  write: (name: string) => string
}

/** @throws S3Error InvalidArgument */
export function requestedForm(call: Call): NameForm {
  const type = call.query.get('encoding-type')
  if (type === null || type === '') return { encoded: false, write: escapeXml }
  if (type.toLowerCase() !== 'url') throw new S3Error('InvalidArgument', 'Invalid Encoding Method specified in Request')
  return { encoded: true, write: encodeName }
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
export function listHead(call: Call, form: NameForm, prefix: string, delimiter: string): string {
  return (
    tag('Name', call.bucket) +
    `<Prefix>${form.write(prefix)}</Prefix>` +
    (delimiter === '' ? '' : `<Delimiter>${form.write(delimiter)}</Delimiter>`) +
    optionalTag('EncodingType', form.encoded ? 'url' : undefined)
  )
}

export function commonPrefix(form: NameForm, prefix: string): string {
  return `<CommonPrefixes><Prefix>${form.write(prefix)}</Prefix></CommonPrefixes>`
}
