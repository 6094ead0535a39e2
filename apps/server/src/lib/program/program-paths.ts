import { fileURLToPath } from 'node:url'

/** Whether this is the built program, `dist/server/main.js`, or its source under tsx or vitest. */
const isBuilt = import.meta.url.includes('/dist/server/')
const dist = isBuilt ? new URL('../', import.meta.url) : new URL('../../../../../dist/', import.meta.url)

/** Folder of the built web app. */
export const WEB_FOLDER = fileURLToPath(new URL('web/', dist))

/** The embedded store's entry; from source when the console runs from source. */
export const STORE_ENTRY = fileURLToPath(
  isBuilt
    ? new URL('store/main.js', dist)
    : new URL('../../../../../packages/object-store/src/main.ts', import.meta.url),
)

/** The version; the build replaces `__STOWAGE_VERSION__`. */
export const CONSOLE_VERSION: string = typeof __STOWAGE_VERSION__ === 'string' ? __STOWAGE_VERSION__ : 'development'

declare const __STOWAGE_VERSION__: string | undefined
