/** The files of an archive below `iam-assets/`, in the order in which they are imported. */
export const ARCHIVE_FILES = [
  'policies',
  'users',
  'groups',
  'svcaccts',
  'user_mappings',
  'group_mappings',
  'stsuser_mappings',
] as const
export type ArchiveFile = (typeof ARCHIVE_FILES)[number]
