import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MemoryIndex } from '../../index-db/memory-index.ts'
import { START_POSITION } from '../../index-db/ordered-index.ts'
import type { Overlay } from './overlay.ts'
import { Transaction } from './transaction.ts'

const key = fc.constantFrom('a', 'aa', 'ab', 'b', '\xff', 'é', 'z').map((text) => Buffer.from(text, 'latin1'))
const bound = fc.oneof(key, fc.constant(Buffer.alloc(0)))
const write = fc.record({ key, value: fc.option(fc.nat(9), { nil: undefined }) })

test('a transaction sees the index, what is on its way and its own writes as one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(write),
      fc.array(fc.array(write), { minLength: 1, maxLength: 4 }),
      bound,
      bound,
      fc.boolean(),
      async (stored, rounds, start, end, reverse) => {
        const index = new MemoryIndex()
        const model = new Map<string, string>()
        let overlays: Overlay[] = []
        let tx = new Transaction(index, [], () => 0)
        const perform = (writes: typeof stored) => {
          for (const { key, value } of writes) {
            if (value === undefined) tx.remove(key)
            else tx.put(key, Buffer.from(String(value)))
            if (value === undefined) model.delete(key.toString('latin1'))
            else model.set(key.toString('latin1'), String(value))
            // This range makes the overlay keep its keys sorted from here on.
            if (value === 5) void [...tx.range(start, end)]
          }
        }
        perform(stored)
        await index.apply({ ops: tx.overlay.ops, position: START_POSITION })
        for (const writes of rounds) {
          tx = new Transaction(index, overlays, () => 0)
          perform(writes)
          overlays = [tx.overlay, ...overlays]
        }
        const [from, to] = [start.toString('latin1'), end.toString('latin1')]
        const expected = [...model].filter(([name]) => name >= from && name < to).sort(([a], [b]) => (a < b ? -1 : 1))
        const found = Array.from(tx.range(start, end, { reverse }), (entry) => [
          entry.key.toString('latin1'),
          entry.value.toString(),
        ])
        expect(found).toEqual(reverse ? expected.reverse() : expected)
        for (const [name, value] of model) expect(tx.get(Buffer.from(name, 'latin1'))?.toString()).toBe(value)
      },
    ),
  )
})
