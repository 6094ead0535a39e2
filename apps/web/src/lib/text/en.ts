/**
 * English needs resources only where the text depends on a count: every other text is its own key.
 * The key is the plural form, `_one` the form for 1.
 */
export const en: Record<string, string> = {
  '{{n}} buckets_one': '{{n}} bucket',
  '{{n}} objects_one': '{{n}} object',
  '{{n}} versions_one': '{{n}} version',
  '{{n}} drives are offline_one': '{{n}} drive is offline',
  '{{n}} of {{total}} servers are offline: {{names}}_one': '{{n}} of {{total}} servers is offline: {{names}}',
  '{{n}} of {{total}} drives are out of service: {{names}}_one':
    '{{n}} of {{total}} drives is out of service: {{names}}',
  '{{n}} near their quota_one': '{{n}} near its quota',
  'Delete {{n}} buckets_one': 'Delete 1 bucket',
  '{{n}} buckets deleted_one': '1 bucket deleted',
  '{{n}} buckets could not be deleted_one': '1 bucket could not be deleted',
  '{{n}} days_one': '{{n}} day',
  '{{n}} weeks_one': '{{n}} week',
  '{{n}} months_one': '{{n}} month',
  '{{n}} years_one': '{{n}} year',
  '{{n}} hours_one': '{{n}} hour',
  '{{n}} minutes_one': '{{n}} minute',
  '{{n}} seconds_one': '{{n}} second',
  'Try again in {{n}} seconds._one': 'Try again in {{n}} second.',
  '{{n}} folders_one': '{{n}} folder',
  '{{n}} folders with everything below them_one': '{{n}} folder with everything below it',
  '{{n}} files could not be read_one': '{{n}} file could not be read',
  '{{n}} empty folders were left out: a bucket holds objects only_one':
    '{{n}} empty folder was left out: a bucket holds objects only',
  '{{n}} objects deleted_one': '{{n}} object deleted',
  '{{n}} objects could not be deleted_one': '{{n}} object could not be deleted',
  '{{n}} need you_one': '{{n}} needs you',
  '{{n}} bytes_one': '{{n}} byte',
}
