/** Put in by the build (scripts/build.mjs); absent when the sources run as they are. */
declare const __STOWAGE_VERSION__: string | undefined

export const VERSION = typeof __STOWAGE_VERSION__ === 'string' ? __STOWAGE_VERSION__ : 'development'
