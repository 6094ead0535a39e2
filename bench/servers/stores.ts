import { formatSize } from '@stowage/contract/values/units'
import { type BenchCase, timed } from '../lib/measure.ts'
import { listKeysPage, putObjects } from '../lib/objects.ts'
import { noise, S3 } from '../lib/s3.ts'

const CLIENTS = 32
const SMALL = Buffer.alloc(1024, 'stowage ')
const OPERATIONS = 3000

export interface BenchStore {
  readonly name: string
  readonly s3: S3
  readonly bucket: string
  /** A bucket with objects to list. */
  readonly listed: string
}

/** Creates the buckets for measuring a store. */
export async function prepareStore(name: string, s3: S3, objects: number): Promise<BenchStore> {
  const bucket = `bench-${Date.now().toString(36)}-${name.toLowerCase().replace(/[^a-z0-9]/g, '')}`
  await s3.done({ method: 'PUT', path: `/${bucket}` })
  const listed = await putObjects(s3, objects)
  return { name, s3, bucket, listed: listed.bucket }
}

/** Returns the measurements of every store. */
export function storeCases(size: number): BenchCase<BenchStore>[] {
  const perSecond = async (work: (i: number) => Promise<void>) =>
    OPERATIONS / ((await timed(() => S3.parallel(CLIENTS, OPERATIONS, work))) / 1000)
  const small = (store: BenchStore, i: number) => `/${store.bucket}/small-${i}`
  const large = (store: BenchStore) => `/${store.bucket}/large`
  return [
    {
      name: `puts of 1 KiB, ${CLIENTS} clients`,
      unit: '1/s',
      run: (store) => perSecond((i) => store.s3.done({ method: 'PUT', path: small(store, i), body: SMALL })),
    },
    {
      name: `gets of 1 KiB, ${CLIENTS} clients`,
      unit: '1/s',
      run: (store) => perSecond((i) => store.s3.done({ method: 'GET', path: small(store, i) })),
    },
    {
      name: 'first list page of 1,000 keys',
      unit: 'ms',
      run: (store) => timed(() => listKeysPage(store.s3, store.listed)),
    },
    { name: 'list page of 1,000 keys, mean of 20', unit: 'ms', run: meanPage },
    {
      name: `put ${formatSize(size)}`,
      unit: 's',
      run: async (store) =>
        (await timed(() =>
          store.s3.done({ method: 'PUT', path: large(store), body: () => noise(size), length: size }),
        )) / 1000,
    },
    {
      name: `get ${formatSize(size)}`,
      unit: 's',
      run: async (store) => (await timed(() => store.s3.done({ method: 'GET', path: large(store) }))) / 1000,
    },
  ]
}

async function meanPage(store: BenchStore): Promise<number> {
  let pages = 0
  const ms = await timed(async () => {
    for (let next: string | undefined; pages < 20 && (pages === 0 || next !== undefined); pages++) {
      next = (await listKeysPage(store.s3, store.listed, next)).next
    }
  })
  return ms / pages
}
