import type { Output } from '@stowage/contract'
import { draftWithoutSecrets } from './stored-draft.ts'
import type { TenantDraft } from './tenant-draft.ts'

/** Returns the answers of a draft as YAML, without secrets. */
export function draftYaml(draft: TenantDraft): string {
  return yamlLines(draftWithoutSecrets(draft), '').join('\n').concat('\n')
}

function yamlLines(value: object, indent: string): string[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    if (Array.isArray(member))
      return [`${indent}${name}:`, ...member.map((one) => `${indent}  - ${JSON.stringify(one)}`)]
    if (typeof member === 'object' && member !== null) return [`${indent}${name}:`, ...yamlLines(member, `${indent}  `)]
    // JSON strings, numbers and booleans are valid YAML.
    return [`${indent}${name}: ${JSON.stringify(member)}`]
  })
}

type Objects = Output<'previewTenant'>['objects']

/** Returns all objects in one file. @param note a comment at the top */
export function kubectlManifest(objects: Objects, note: string): string {
  return [`# ${note}`, ...objects.map(({ yaml }) => `---\n${yaml.trimEnd()}`)].join('\n').concat('\n')
}
