import { expect, test } from 'vitest'
import { sharedConsole } from '../../support/console/shared-console.ts'
import { compareDecisions } from './decision-run.ts'

// A part of `npm run fuzz`, always with the same policies. In front of MinIO (STOWAGE_TEST_SERVER) its rules apply.
test('the verdict of the store on every operation is that of "Can they?", has-permission and the pages', async () => {
  const { complaints, decisions, cases, allowed, denied } = await compareDecisions(await sharedConsole(), {
    decisions: 2000,
    seed: 1,
  })
  expect(complaints).toEqual([])
  expect(decisions).toBeGreaterThanOrEqual(2000)
  expect(decisions / cases).toBeGreaterThanOrEqual(50)
  expect(Math.min(allowed, denied) / decisions).toBeGreaterThan(0.15)
})
