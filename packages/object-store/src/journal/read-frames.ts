import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeFrame, FRAME_MAGIC, type JournalFrame } from './journal-frame.ts'
import { listSegments } from './journal-segment.ts'

/** Frames that no copy holds whole, though later ones are there: more was damaged than two copies can mend. */
export class JournalGap extends Error {
  override readonly name = 'JournalGap'
  constructor(
    readonly expected: number,
    readonly found: number,
  ) {
    super(`the journal lacks the frames ${expected} to ${found - 1} in every copy`)
  }
}

export interface ReadFramesOptions {
  /** The first frame wanted. */
  from: number
  /** Called for each damaged or missing frame that was read from another copy. */
  onRepaired?: (folder: string, segment: string) => void
}

/**
 * The frames from `from` on, each taken from the first folder that holds it whole. Ends where no copy goes on, which after
 * a crash is the torn frame of a change that was never acknowledged.
 * @throws JournalGap
 */
export async function* readFrames(folders: string[], options: ReadFramesOptions): AsyncGenerator<JournalFrame> {
  const segments = await listSegments(folders)
  let expected = options.from
  for (const [i, segment] of segments.entries()) {
    const end = segments[i + 1]?.frame ?? Number.POSITIVE_INFINITY
    if (end <= expected) continue
    for await (const frame of readSegment(folders, segment.name, options.onRepaired)) {
      // Frames after the start of the next segment were written but failed, and were never acknowledged.
      if (frame.position.frame >= end) break
      if (frame.position.frame < expected) continue
      if (frame.position.frame > expected) throw new JournalGap(expected, frame.position.frame)
      yield frame
      expected++
    }
  }
}

async function* readSegment(
  folders: string[],
  name: string,
  onMended: ReadFramesOptions['onRepaired'],
): AsyncGenerator<JournalFrame> {
  const load = (folder: string) => readFile(join(folder, name)).catch(() => Buffer.alloc(0))
  const copies = await Promise.all(folders.map(load))
  let offset = 0
  for (;;) {
    let found: ReturnType<typeof decodeFrame>
    const bad: string[] = []
    for (const [i, folder] of folders.entries()) {
      found = decodeFrame(copies[i] ?? Buffer.alloc(0), offset)
      if (found) break
      bad.push(folder)
    }
    if (!found) {
      // The end, or frames damaged in every copy before intact ones: the caller decides whether they are needed.
      const later = copies.flatMap((bytes) => findNextFrame(bytes, offset + 1) ?? [])
      if (later.length === 0) return
      offset = Math.min(...later)
      continue
    }
    for (const folder of bad) onMended?.(folder, name)
    yield found.frame
    offset = found.next
  }
}

/** Returns the offset of the first complete frame at or after an offset. */
function findNextFrame(bytes: Buffer, offset: number): number | undefined {
  for (let at = bytes.indexOf(FRAME_MAGIC, offset); at >= 0; at = bytes.indexOf(FRAME_MAGIC, at + 1)) {
    if (decodeFrame(bytes, at)) return at
  }
  return undefined
}
