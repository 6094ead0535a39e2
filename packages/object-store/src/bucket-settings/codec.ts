/**
 * How a setting of a bucket is written: one codec per document, for callers, the disk and archives of settings alike. The
 * documents are those of S3 or, where S3 has none, of the admin API.
 */
export interface SettingCodec<Value> {
  /**
   * Reads a document, sent or stored.
   * @throws S3Error with the code that S3 has for a document that is wrong
   */
  read(document: string): Value
  /** The document as it is stored and, where GET answers with the whole of it, sent. */
  write(value: Value): string
}
