/** Set by the build (scripts/build.mjs); absent when running from source. */
declare const __STOWAGE_VERSION__: string | undefined

export const STORE_VERSION = typeof __STOWAGE_VERSION__ === 'string' ? __STOWAGE_VERSION__ : 'development'
