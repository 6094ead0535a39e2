import { test } from 'vitest'

/** `ownStore.test` tests behaviour of our own store; it is skipped if another server is named in the environment. */
export const ownStore = { test: test.skipIf(process.env.STOWAGE_TEST_SERVER !== undefined) }
