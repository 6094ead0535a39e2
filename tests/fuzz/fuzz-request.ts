/** A generated request: complete except for the signature and values from earlier answers. */
export interface FuzzRequest {
  api: 's3' | 'admin' | 'sts' | 'console' | 'raw'
  method: string
  /** Encoded. */
  path: string
  /** Encoded, without the question mark. */
  query: string
  headers: Record<string, string>
  body: FuzzBody
  as: FuzzCaller
  /** How the request is signed; the console does not use signatures. */
  signed: 'header' | 'query' | 'form' | 'damaged'
}

export type FuzzCaller = 'root' | 'user' | 'session' | 'anonymous'

export type FuzzBody =
  | { kind: 'none' }
  /** Latin-1. */
  | { kind: 'bytes'; text: string }
  /** Sealed with the caller's secret key, as required by the admin API. */
  | { kind: 'sealed'; text: string }
  /** This many bytes of arbitrary content. */
  | { kind: 'filler'; length: number }
  /** A form with a file; its fields get a signature if the request is signed by form. */
  | { kind: 'multipart'; fields: [string, string][]; file: { name: string; text: string } }

/** Converts a text to UTF-8 bytes for `FuzzBody`. */
export function utf8(text: string): FuzzBody {
  return { kind: 'bytes', text: Buffer.from(text).toString('latin1') }
}
