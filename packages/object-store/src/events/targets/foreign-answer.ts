/**
 * Returns an error of a client library for users. Those of its parser contain bytes of whatever answered, perhaps not a server of
 * this kind at all, so they are replaced.
 * @param server `a Redis server`
 * @param isKnown whether the error is not of the parser; errors of the system and of refused connections never are
 */
export function withoutForeignBytes(
  error: unknown,
  server: string,
  isKnown: (error: Error) => boolean = () => false,
): unknown {
  if (!(error instanceof Error)) return error
  const code = 'code' in error ? error.code : undefined
  if ((typeof code === 'string' && code !== '') || typeof code === 'number' || isKnown(error)) return error
  return new Error(`the answer is not of ${server}`)
}
