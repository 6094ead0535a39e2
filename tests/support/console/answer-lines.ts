/** For calls that send NDJSON only to callers that request it. */
export const acceptLines = { headers: { accept: 'application/x-ndjson' } }

/** Returns the values of an NDJSON answer. */
export async function readAnswerLines<T = Record<string, unknown>>(response: Response): Promise<T[]> {
  const text = await response.text()
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}
