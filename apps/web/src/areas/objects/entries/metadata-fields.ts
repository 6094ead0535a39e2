import type { ObjectDetails } from '@stowage/contract'

export interface MetadataField {
  name: string
  value: string
}

const PREFIX = 'x-amz-meta-'
/** The standard headers that are stored with an object; `METADATA_HEADERS` of the contract. */
const STANDARD = ['cache-control', 'content-disposition', 'content-encoding', 'content-language', 'expires'] as const

/** Returns the metadata of an object as form rows. */
export function metadataFields({ headers, user_metadata }: ObjectDetails): MetadataField[] {
  return [
    ...Object.entries(headers).map(([name, value]) => ({ name, value })),
    ...Object.entries(user_metadata).map(([name, value]) => ({ name: PREFIX + name, value })),
  ]
}

/** Converts form rows to the request body: standard headers, and all others as user metadata. */
export function metadataBody(fields: readonly MetadataField[]) {
  const headers: Partial<Record<(typeof STANDARD)[number], string>> = {}
  const user_metadata: Record<string, string> = {}
  for (const { name, value } of fields) {
    const lower = name.trim().toLowerCase()
    const standard = STANDARD.find((one) => one === lower)
    if (standard) headers[standard] = value.trim()
    else user_metadata[lower.startsWith(PREFIX) ? lower.slice(PREFIX.length) : lower] = value.trim()
  }
  return { headers, user_metadata }
}
