import { createStore } from '../store.ts'

/** Set after a change that the server only takes with a restart; the banner under the top bar shows it. */
export const needsRestart = createStore(false)
