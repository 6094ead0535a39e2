import { type ConfigTextTarget, formatConfigTarget, readConfigText } from '@stowage/madmin'
import { isSecretKey, withoutPassword } from './hidden-passwords.ts'

/** Returns a full configuration without secrets: their keys are left out, and passwords inside longer values are empty. */
export function configWithoutSecrets(text: string): string {
  return readConfigText(text)
    .map(({ subsystem, target, values, isComment }) => {
      const pairs = [...values]
        .filter(([key]) => !isSecretKey(key))
        .map(([key, value]) => pairText(key, withoutPassword(key, value)))
      return `${isComment ? '# ' : ''}${[formatConfigTarget(subsystem, target), ...pairs].join(' ')}\n`
    })
    .join('')
}

function pairText(key: string, value: string): string {
  return /[\s"']/.test(value) ? `${key}="${value.replaceAll('"', '""')}"` : `${key}=${value}`
}

/** Returns the targets in an export. Servers write disabled targets as comments; other comments are ignored. */
export function exportedTargets(text: string): ConfigTextTarget[] {
  return readConfigText(text).filter(({ isComment, values }) => !isComment || values.get('enable') === 'off')
}
