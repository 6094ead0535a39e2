import { constants } from 'node:zlib'

/** The default level of brotli takes a hundred times as long and makes answers only a tenth smaller. */
export const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
/** Shorter answers are not compressed (bytes). */
export const COMPRESSED_BYTES = 1024
