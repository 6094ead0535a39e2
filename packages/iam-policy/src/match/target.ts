import type { ActionLevel } from '../actions/s3.ts'
import type { TargetStyle } from '../dialects.ts'

/** What a resource of a policy is matched against. */
export interface Target {
  readonly text: string
  /** This text, every text that begins with it, or every name of a bucket (`text` is empty). */
  readonly reach: 'exact' | 'prefix' | 'any-bucket'
}

const exactly = (text: string): Target => ({ text, reach: 'exact' })
const everythingIn = (text: string): Target => ({ text, reach: 'prefix' })
const ANY_BUCKET: Target = { text: '', reach: 'any-bucket' }

/** What a request, or a question about one, is about. */
export interface Subject {
  /** Undefined for an action that no server knows. */
  readonly level: ActionLevel | undefined
  readonly family: 's3' | 'admin' | 'kms' | 'sts'
  /** Of kms actions the name of the key. Undefined: of no bucket, or in a question of any. */
  readonly bucket: string | undefined
  /** Undefined or empty: of no object, or in a question of any. */
  readonly object: string | undefined
  /** The key prefix of a question about all objects below it. Undefined in a request. */
  readonly prefix: string | undefined
  /** A question about any bucket. */
  readonly anyBucket: boolean
}

/** The targets of one subject, each made when a statement first needs it. */
export class Targets {
  readonly #subject: Subject
  // A caller's policies are all of one dialect, so nearly always one is made.
  #style: TargetStyle | undefined
  #target: Target | undefined

  constructor(subject: Subject) {
    this.#subject = subject
  }

  get(style: TargetStyle): Target {
    if (this.#target && this.#style === style) return this.#target
    this.#style = style
    this.#target = style === 'aws' ? awsTarget(this.#subject) : minioTarget(this.#subject, style === 'minio-user')
    return this.#target
  }
}

function awsTarget({ level, family, bucket = '', object = '', prefix, anyBucket }: Subject): Target {
  if (family !== 's3' || level === 'account') return exactly(family === 'kms' ? bucket : '')
  if (anyBucket) return level === 'bucket' ? ANY_BUCKET : everythingIn('')
  if (level === 'bucket') return exactly(bucket)
  if (object === '' && level === 'object') {
    // A request about all objects of a bucket, such as "may write there", is about the empty key.
    return prefix === undefined ? exactly(`${bucket}/`) : everythingIn(`${bucket}/${prefix}`)
  }
  return exactly(object === '' ? bucket : `${bucket}/${object}`)
}

function minioTarget({ level, family, bucket = '', object = '', prefix, anyBucket }: Subject, ofUser: boolean): Target {
  if (anyBucket && family === 's3' && level !== 'account') return everythingIn('')
  if (object === '') {
    if (prefix !== undefined && level === 'object' && !anyBucket) return everythingIn(`${bucket}/${prefix}`)
    return exactly(ofUser ? `${bucket}/` : bucket)
  }
  return exactly(object.startsWith('/') ? bucket + object : `${bucket}/${object}`)
}
