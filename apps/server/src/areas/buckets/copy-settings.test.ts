import { expect, test } from 'vitest'
import { renameBucketInPolicy } from './copy-settings.ts'

test('a copied policy names the new bucket instead of the old one, and is otherwise unchanged', () => {
  const policy = (bucket: string) =>
    JSON.stringify({
      Statement: [
        {
          Sid: 'arn:aws:s3:::old',
          Resource: [
            `arn:aws:s3:::${bucket}`,
            `arn:aws:s3:::${bucket}/a/*`,
            'arn:aws:s3:::older',
            'arn:aws:s3:::older/*',
          ],
        },
        {
          NotResource: `arn:aws:s3:::${bucket}/x`,
          Condition: { StringEquals: { 'aws:SourceArn': 'arn:aws:s3:::old' } },
        },
      ],
    })
  expect(renameBucketInPolicy(policy('old'), 'old', 'new')).toBe(policy('new'))
  expect(renameBucketInPolicy('', 'old', 'new')).toBe('')
})
