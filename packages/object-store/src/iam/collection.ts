import type { Engine } from '../engine/interface/types.ts'
import { S3Error } from '../lib/errors.ts'
import { MAX_NAME_BYTES } from './iam-names.ts'

type Documents = Pick<Engine, 'listDocuments' | 'putDocuments'>

/** A change to be stored, and the function that applies it in memory afterwards. */
export interface PendingIamChange {
  document: { collection: string; name: string; value: string | undefined }
  apply: () => void
}

/** A collection of documents, read once and then served from memory. */
export class IamCollection<T> {
  readonly #items = new Map<string, T>()

  constructor(
    documents: Documents,
    readonly name: string,
  ) {
    for (const { name: key, value } of documents.listDocuments(name)) {
      // Written by `change` below and by nothing else.
      this.#items.set(key, JSON.parse(value) as T)
    }
  }

  get size(): number {
    return this.#items.size
  }
  get(key: string): T | undefined {
    return this.#items.get(key)
  }
  has(key: string): boolean {
    return this.#items.has(key)
  }
  keys(): IterableIterator<string> {
    return this.#items.keys()
  }
  entries(): IterableIterator<[string, T]> {
    return this.#items.entries()
  }

  /**
   * Returns a change for `Iam.update`; `undefined` removes the document. Callers must check new names with `checkIamName`; this
   * only refuses names that cannot be keys of the index.
   * @throws S3Error XMinioInvalidResource
   */
  change(key: string, value: T | undefined): PendingIamChange {
    if (value !== undefined && !this.#items.has(key) && Buffer.byteLength(key) > MAX_NAME_BYTES) {
      throw new S3Error('XMinioInvalidResource', `A name must not exceed ${MAX_NAME_BYTES} bytes.`)
    }
    return {
      document: { collection: this.name, name: key, value: value === undefined ? undefined : JSON.stringify(value) },
      apply: () => {
        if (value === undefined) this.#items.delete(key)
        else this.#items.set(key, value)
      },
    }
  }
}
