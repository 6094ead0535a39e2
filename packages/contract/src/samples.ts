/**
 * The names that the examples use for things that exist, or must not exist yet. A test that makes the calls for real
 * replaces each by the name of a thing that it has created.
 */
export const sample = {
  bucket: 'photos',
  newBucket: 'holiday-photos',
  key: 'italy/lake.jpg',
  uploadId: 'ZDFiNmQ0YjUtNmE4Yi00YTZl',
  partEtag: '9e107d9d372bb6826bd81d3542a419d6',
} as const
