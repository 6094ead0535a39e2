/**
 * Reads and writes the document of a bucket setting, for callers, the disk and archives alike. Documents are those of S3 or, if
 * S3 has none, of the admin API.
 */
export interface SettingCodec<Value> {
  /**
   * Reads a document, sent or stored.
   * @throws S3Error with the code that S3 has for a document that is wrong
   */
  read(document: string): Value
  /** Returns the document as it is stored and, if GET returns all of it, sent. */
  write(value: Value): string
}
