/** A request as the generators make it: everything is decided but the signature and what earlier answers gave. */
export interface FuzzRequest {
  api: 's3' | 'admin' | 'sts' | 'console' | 'raw'
  method: string
  /** In the form that is sent. */
  path: string
  /** As it goes out, without the question mark. */
  query: string
  headers: Record<string, string>
  body: Body
  as: Caller
  /** How the request is signed; the console has no signatures. */
  signed: 'header' | 'query' | 'form' | 'damaged'
}

export type Caller = 'root' | 'user' | 'session' | 'anonymous'

export type Body =
  | { kind: 'none' }
  /** Latin-1. */
  | { kind: 'bytes'; text: string }
  /** Sealed with the caller's secret, as the admin API wants it. */
  | { kind: 'sealed'; text: string }
  /** So many bytes that nothing depends on. */
  | { kind: 'filler'; length: number }
  /** A form with a file; its fields get a signature when the request is signed by form. */
  | { kind: 'multipart'; fields: [string, string][]; file: { name: string; text: string } }

/** Bytes of a text as UTF-8, in the form that `Body` wants. */
export function utf8(text: string): Body {
  return { kind: 'bytes', text: Buffer.from(text).toString('latin1') }
}
