import { expect } from 'vitest'
import { ownStore } from '../support/console/own-store.ts'
import { fuzz } from './fuzz-run.ts'

// A few seconds of `npm run fuzz`, always with the same requests; run it for longer after changes to code that handles
// requests.
ownStore.test('generated requests find no crash, no undocumented 5xx, no hang, no leak and nothing lost', async () => {
  const { complaints, kept } = await fuzz({ requests: 1000, seed: 1 })
  expect(complaints).toEqual([])
  expect(kept).toBe(20)
})
