import { readdir } from 'node:fs/promises'

/**
 * A file of the journal, named after the first frame that it may contain and the last change before it. Copies of a segment on
 * two drives have the same frames at the same offsets, so one can replace a damaged part of the other.
 */
export interface JournalSegment {
  frame: number
  seq: number
  name: string
}

const DIGITS = 15

export function segmentName(frame: number, seq: number): string {
  return `${String(frame).padStart(DIGITS, '0')}-${String(seq).padStart(DIGITS, '0')}.log`
}

function parseSegmentName(name: string): JournalSegment | undefined {
  const found = /^(\d{15})-(\d{15})\.log$/.exec(name)
  return found ? { frame: Number(found[1]), seq: Number(found[2]), name } : undefined
}

/** The segments in any of the folders, oldest first. A folder that cannot be read counts as empty. */
export async function listSegments(folders: string[]): Promise<JournalSegment[]> {
  const names = new Set<string>()
  for (const folder of folders) for (const name of await readdir(folder).catch(() => [])) names.add(name)
  return [...names].sort().flatMap((name) => parseSegmentName(name) ?? [])
}
