/** For calls that answer with lines only to callers that ask for them. */
export const acceptLines = { headers: { accept: 'application/x-ndjson' } }

/** The values of an answer of lines. */
export async function linesOf<T = Record<string, unknown>>(response: Response): Promise<T[]> {
  const text = await response.text()
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}
