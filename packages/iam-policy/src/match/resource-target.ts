import type { ActionLevel } from '../actions/s3.ts'
import type { ResourceTextStyle } from '../language/dialects.ts'

/** What a resource of a policy is matched against. */
export interface ResourceTarget {
  readonly text: string
  /** This text, every text that starts with it, or every bucket name (`text` is empty). */
  readonly reach: 'exact' | 'prefix' | 'any-bucket'
}

const exactly = (text: string): ResourceTarget => ({ text, reach: 'exact' })
const everythingIn = (text: string): ResourceTarget => ({ text, reach: 'prefix' })
const ANY_BUCKET: ResourceTarget = { text: '', reach: 'any-bucket' }

/** The resource of a request or question. */
export interface RequestedResource {
  /** Undefined for an unknown action. */
  readonly level: ActionLevel | undefined
  readonly family: 's3' | 'admin' | 'kms' | 'sts'
  /** For kms actions, the name of the key. Undefined: no bucket, or any bucket in a question. */
  readonly bucket: string | undefined
  /** Undefined or empty: no object, or any object in a question. */
  readonly object: string | undefined
  /** Prefix, in a question about all objects below it. Undefined in a request. */
  readonly prefix: string | undefined
  /** A question about any bucket. */
  readonly anyBucket: boolean
}

/** The targets of one subject, created when first needed. */
export class ResourceTargets {
  readonly #subject: RequestedResource
  // A caller's policies all have the same dialect, so usually only one target is created.
  #style: ResourceTextStyle | undefined
  #target: ResourceTarget | undefined

  constructor(subject: RequestedResource) {
    this.#subject = subject
  }

  get(style: ResourceTextStyle): ResourceTarget {
    if (this.#target && this.#style === style) return this.#target
    this.#style = style
    this.#target = style === 'aws' ? awsTarget(this.#subject) : minioTarget(this.#subject, style === 'minio-user')
    return this.#target
  }
}

function awsTarget({ level, family, bucket = '', object = '', prefix, anyBucket }: RequestedResource): ResourceTarget {
  if (family !== 's3' || level === 'account') return exactly(family === 'kms' ? bucket : '')
  if (anyBucket) return level === 'bucket' ? ANY_BUCKET : everythingIn('')
  if (level === 'bucket') return exactly(bucket)
  if (object === '' && level === 'object') {
    // A request about all objects of a bucket, such as "may write there", uses the empty key.
    return prefix === undefined ? exactly(`${bucket}/`) : everythingIn(`${bucket}/${prefix}`)
  }
  return exactly(object === '' ? bucket : `${bucket}/${object}`)
}

function minioTarget(
  { level, family, bucket = '', object = '', prefix, anyBucket }: RequestedResource,
  ofUser: boolean,
): ResourceTarget {
  if (anyBucket && family === 's3' && level !== 'account') return everythingIn('')
  if (object === '') {
    if (prefix !== undefined && level === 'object' && !anyBucket) return everythingIn(`${bucket}/${prefix}`)
    return exactly(ofUser ? `${bucket}/` : bucket)
  }
  return exactly(object.startsWith('/') ? bucket + object : `${bucket}/${object}`)
}
