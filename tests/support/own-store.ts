import { test } from 'vitest'

/** A test of what our own store promises: there is nothing to ask when another server is named in the environment. */
export const ownStoreTest = test.skipIf(process.env.STOWAGE_TEST_SERVER !== undefined)
