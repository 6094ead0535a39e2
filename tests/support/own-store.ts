import { test } from 'vitest'

/** `ownStore.test` is a test of what our own store promises: there is nothing to ask when another server is named in the environment. */
export const ownStore = { test: test.skipIf(process.env.STOWAGE_TEST_SERVER !== undefined) }
