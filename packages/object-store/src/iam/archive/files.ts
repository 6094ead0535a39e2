/** The files of an archive below `iam-assets/`, in the order in which they are imported. */
export const FILES = [
  'policies',
  'users',
  'groups',
  'svcaccts',
  'user_mappings',
  'group_mappings',
  'stsuser_mappings',
] as const
export type FileName = (typeof FILES)[number]
