import { expect } from 'vitest'
import { ownStore } from '../support/console/own-store.ts'
import { findJobFault } from './job-model.ts'

// `npm run fuzz` runs more of them.
ownStore.test('jobs over random trees, with faults of single objects, leave what a model says', async () => {
  expect(await findJobFault({ runs: 30, seed: 1 })).toBeUndefined()
})
