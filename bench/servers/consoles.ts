import { formatSize } from '@stowage/contract/values/units'
import type { ConsoleClient } from '../lib/console-client.ts'
import { type BenchCase, timed } from '../lib/measure.ts'
import { withPeakMemory } from '../lib/memory.ts'
import type { ListedObjects } from '../lib/objects.ts'

const CONCURRENCY = 10

export interface ConsoleSetting {
  /** Objects in the storage server of the consoles; undefined if its address is unknown. */
  readonly listed: ListedObjects | undefined
  /** A bucket for transfers, created through the first console. */
  readonly bucket: string
  /** Size of a large object in bytes. */
  readonly size: number
  readonly pids: ReadonlyMap<string, number>
}

/** Returns the measurements of every console: calls that users wait for. */
export function consoleCases({ listed, bucket, size, pids }: ConsoleSetting): BenchCase<ConsoleClient>[] {
  const large = (console: ConsoleClient) => `large-${console.name}`
  const peaks = new Map<ConsoleClient, number>()
  return [
    { name: 'sign-in', unit: 'ms', run: (console) => timed(() => console.signIn()) },
    { name: 'session', unit: 'ms', run: (console) => timed(() => console.get('session')) },
    { name: 'buckets', unit: 'ms', run: (console) => timed(() => console.get('buckets')) },
    {
      name: 'buckets without their access, which peers do not tell',
      unit: 'ms',
      run: (console) => timed(() => console.get('buckets?without_access=true')),
    },
    ...(listed ? listCases(listed) : []),
    {
      name: `upload ${formatSize(size)}`,
      unit: 's',
      run: async (console) => (await timed(() => console.upload(bucket, large(console), size))) / 1000,
    },
    {
      name: `download ${formatSize(size)}`,
      unit: 's',
      run: async (console) => (await timed(() => console.download(bucket, large(console), size))) / 1000,
    },
    {
      name: `ten transfers of ${formatSize(size)} at once, five each way`,
      unit: 's',
      runs: 1,
      async run(console) {
        const seconds = async () => (await timed(() => tenAtOnce(console, bucket, large(console), size))) / 1000
        const pid = pids.get(console.name)
        if (pid === undefined) return await seconds()
        const { result, peak } = await withPeakMemory(pid, seconds)
        peaks.set(console, peak)
        return result
      },
    },
    { name: 'peak memory of the ten', unit: 'MiB', runs: 1, run: async (console) => peaks.get(console) },
  ]
}

function listCases({ bucket, prefix, count }: ListedObjects): BenchCase<ConsoleClient>[] {
  return [
    {
      name: 'first page of a prefix',
      unit: 'ms',
      run: (console) => timed(() => console.list(bucket, { prefix, limit: '1000' })),
    },
    {
      name: `all ${count / 10} objects of a prefix`,
      unit: 'ms',
      run: (console) => timed(() => console.listAll(bucket, { prefix }, count / 10)),
    },
    {
      name: `all ${count} objects of a bucket`,
      unit: 'ms',
      run: (console) => timed(() => console.listAll(bucket, { recursive: 'true' }, count)),
    },
  ]
}

async function tenAtOnce(console: ConsoleClient, bucket: string, key: string, size: number): Promise<void> {
  const transfers = Array.from({ length: CONCURRENCY }, (_, i) =>
    // The same keys for every console: three times five large objects may not fit on the disk.
    i % 2 === 0 ? console.upload(bucket, `ten-${i}`, size) : console.download(bucket, key, size),
  )
  await Promise.all(transfers)
}
