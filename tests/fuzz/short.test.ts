import { expect } from 'vitest'
import { ownStore } from '../support/own-store.ts'
import { fuzz } from './run.ts'

// A few seconds of `npm run fuzz`, the same requests each time; the long runs are for whoever changes what they meet.
ownStore.test('generated requests find no crash, no undocumented 5xx, no hang, no leak and nothing lost', async () => {
  const { complaints, kept } = await fuzz({ requests: 1000, seed: 1 })
  expect(complaints).toEqual([])
  expect(kept).toBe(20)
})
