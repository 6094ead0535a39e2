// `npm start`: installs and builds what is missing or stale, then becomes the console (or with --store the store alone). The
// program runs in this process, so that it gets signals and the terminal directly.
import { buildStale } from './build.mjs'
import { ensureInstalled } from './install.mjs'

await ensureInstalled(true)
buildStale()
const store = process.argv.indexOf('--store')
if (store > 0) process.argv.splice(store, 1)
await import(store > 0 ? '../dist/store/standalone.js' : '../dist/server/main.js')
