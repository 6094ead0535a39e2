import type { ArchiveMember } from '@stowage/contract/objects/archives'
import type { ParserTask } from '../../../lib/threads/parser-task.ts'
import {
  type ArchiveDirectoryMember,
  ArchiveError,
  type DirectoryLocation,
  readDirectory,
} from './archive-directory.ts'

/** Why an archive cannot be read. */
export type ArchiveProblem = { problem: ArchiveError['problem'] }

interface DirectoryInput {
  bytes: Uint8Array
  place: DirectoryLocation
}

/** One page of the members whose names contain a text, ignoring case. */
export const listArchiveMembers: ParserTask<
  DirectoryInput & { search: string; start: number; limit: number },
  { members: ArchiveMember[]; total: number } | ArchiveProblem
> = {
  name: 'listArchiveMembers',
  run: ({ search, start, limit, ...directory }) =>
    withMembers(directory, (members) => {
      const wanted = search.toLowerCase()
      const found = wanted === '' ? members : members.filter(({ name }) => name.toLowerCase().includes(wanted))
      return {
        members: found.slice(start, start + limit).map(({ name, size, modified, refused }) => ({
          name,
          size,
          ...(modified === '' ? {} : { modified }),
          ...(refused ? { refused } : {}),
        })),
        total: found.length,
      }
    }),
}

/** The last member with a name, as unzip programs choose; `{}` if there is none. */
export const findArchiveMember: ParserTask<
  DirectoryInput & { member: string },
  { member?: ArchiveDirectoryMember } | ArchiveProblem
> = {
  name: 'findArchiveMember',
  run: ({ member: wanted, ...directory }) =>
    withMembers(directory, (members) => {
      const member = members.findLast(({ name }) => name === wanted)
      // A copy, because the bytes of the name are a part of the whole directory.
      return member ? { member: { ...member, nameBytes: new Uint8Array(member.nameBytes) } } : {}
    }),
}

function withMembers<T>(
  { bytes, place }: DirectoryInput,
  use: (members: ArchiveDirectoryMember[]) => T,
): T | ArchiveProblem {
  try {
    return use(readDirectory(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), place))
  } catch (error) {
    if (error instanceof ArchiveError) return { problem: error.problem }
    throw error
  }
}
