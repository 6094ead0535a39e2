import { createHash } from 'node:crypto'
import { englishReason, type Reason, reason } from '@stowage/contract'
import type { ImportChange, ImportProblem } from '@stowage/contract/configs/configs'
import {
  type ConfigHelp,
  type ConfigTextTarget,
  findUnreadableLines,
  findUnsendable,
  formatConfigLine,
  formatConfigTarget,
  type Madmin,
  readConfigText,
} from '@stowage/madmin'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { exportedTargets } from './export-config.ts'
import { isSecretKey, lacksPassword, withoutPassword } from './hidden-passwords.ts'
import { isTargetEnabled } from './pending-targets.ts'

/** A target after the import, compared with its present state. */
export interface TargetImport {
  readonly name: string
  readonly target: string
  readonly action: ImportChange['action']
  /** The keys that change, including secrets. */
  readonly keys: readonly { key: string; before: string; after: string }[]
  readonly multipleTargets: boolean
  readonly isOn: { readonly before: boolean; readonly after: boolean }
}

export interface ImportPlan {
  readonly imports: readonly TargetImport[]
  readonly problems: readonly ImportProblem[]
  /** Version of the configuration that the plan was made from. */
  readonly version: string
}

/**
 * Compares an import file with the configuration of the server, without changing anything.
 * @throws HttpError 400 for a text without settings
 */
export async function planConfigImport(madmin: Madmin, given: string): Promise<ImportPlan> {
  const text = given.replaceAll('\r\n', '\n')
  // This read needs the right to change the configuration; the import file is only parsed if it succeeds.
  const current = await madmin.getFullConfig()
  const wanted = exportedTargets(text)
  if (wanted.length === 0) throw new HttpError(400, reason('config-text-empty'), { field: 'value' })
  const present = new Map(readConfigText(current).map((each) => [targetKey(each), each]))
  const helps = await readHelp(madmin, wanted)
  const problems: ImportProblem[] = findUnreadableLines(text).map((line) =>
    importProblem('', '_', reason('config-line-unreadable', { line })),
  )
  const imports: TargetImport[] = []
  const seen = new Set<string>()
  for (const each of wanted) {
    const { subsystem: name, target } = each
    const refuse = (why: Reason, key?: string) => problems.push(importProblem(name, target, why, key))
    const help = helps.get(name)
    if (!help) refuse(reason('config-unsupported', { name }))
    else if (seen.has(targetKey(each))) refuse(reason('config-target-twice'))
    else if (target !== '_' && !help.multipleTargets) refuse(reason('config-one-target'))
    else {
      const planned = planTarget(each, present.get(targetKey(each)), help, refuse)
      if (planned) imports.push(planned)
    }
    seen.add(targetKey(each))
  }
  const removed = [...present.values()].filter(
    (each) => each.target !== '_' && each.environment.size === 0 && !seen.has(targetKey(each)),
  )
  imports.push(...removed.map(planRemoval))
  if (problems.length === 0) problems.push(...(await serverProblems(madmin, imports)))
  return { imports, problems, version: createHash('sha256').update(current).digest('base64url').slice(0, 22) }
}

function importProblem(name: string, target: string, why: Reason, key?: string): ImportProblem {
  return { name, target, message: englishReason(why) ?? why.id, reason: why, ...(key === undefined ? {} : { key }) }
}

const targetKey = ({ subsystem, target }: ConfigTextTarget) => formatConfigTarget(subsystem, target)

async function readHelp(madmin: Madmin, wanted: readonly ConfigTextTarget[]): Promise<ReadonlyMap<string, ConfigHelp>> {
  const known = new Set((await madmin.configHelp('')).keys.map(({ key }) => key))
  const names = [...new Set(wanted.map(({ subsystem }) => subsystem))].filter((name) => known.has(name))
  return new Map(await Promise.all(names.map(async (name) => [name, await madmin.configHelp(name)] as const)))
}

/** Maximum length of a value in characters; the longest values are lists of addresses. */
const MAX_VALUE = 16_384

function planTarget(
  wanted: ConfigTextTarget,
  present: ConfigTextTarget | undefined,
  help: ConfigHelp,
  refuse: (why: Reason, key?: string) => void,
): TargetImport | undefined {
  const { subsystem: name, target } = wanted
  const known = help.keys.map(({ key }) => key)
  const keys: { key: string; before: string; after: string }[] = []
  for (const [key, after] of wanted.values) {
    if (key === 'enable' && help.multipleTargets) continue
    if (!known.includes(key) && !present?.values.has(key)) {
      refuse(reason('config-key-unknown', { key, name }), key)
      continue
    }
    if (after.length > MAX_VALUE) {
      refuse(reason('config-value-long', { limit: MAX_VALUE }), key)
      continue
    }
    const locked = present?.environment.get(key)
    // Our own store shows the value set by the environment variable, and leaves secrets out.
    if (locked) {
      if (locked.value !== after && after !== '')
        refuse(reason('config-key-locked', { variable: locked.variable }), key)
      continue
    }
    const before = present?.values.get(key) ?? ''
    if (after === before || isKept(key, before, after)) continue
    const problem = valueProblem(key, before, after, known)
    if (problem) refuse(problem, key)
    keys.push({ key, before, after })
  }
  const isOn = { before: present !== undefined && isTargetEnabled(present), after: isTargetEnabled(wanted) }
  const isSame = keys.length === 0 && (!help.multipleTargets || isOn.before === isOn.after)
  // A disabled default target without values is the initial state of every server.
  if (isSame) return undefined
  return { name, target, action: present ? 'change' : 'add', keys, multipleTargets: help.multipleTargets, isOn }
}

function planRemoval(present: ConfigTextTarget): TargetImport {
  const keys = [...present.values]
    .filter(([key, value]) => key !== 'enable' && value !== '')
    .map(([key, before]) => ({ key, before, after: '' }))
  const isOn = { before: isTargetEnabled(present), after: false }
  return { name: present.subsystem, target: present.target, action: 'remove', keys, multipleTargets: true, isOn }
}

/** Whether a value stays unchanged: an export has no secrets, and no passwords inside values. */
function isKept(key: string, before: string, after: string): boolean {
  if (isSecretKey(key)) return after === ''
  return withoutPassword(key, before) !== before && withoutPassword(key, before) === after
}

function valueProblem(key: string, before: string, after: string, known: readonly string[]): Reason | undefined {
  const found = findUnsendable(after, ['enable', ...known])
  if (found?.why === 'quote') return reason('config-value-quote')
  if (found?.why === 'control') return reason('config-value-control')
  if (found) return reason('config-value-key', { key: found.key ?? '' })
  return after !== '' && lacksPassword(key, before, after) ? reason('config-password-again') : undefined
}

/** Returns the errors that our own store would report; other servers report them during the import. */
async function serverProblems(madmin: Madmin, imports: readonly TargetImport[]): Promise<ImportProblem[]> {
  const lines = imports.filter(({ action }) => action !== 'remove').map((each) => importLine(each))
  if (lines.length === 0) return []
  const problems = (await madmin.checkConfig(lines.join('\n'))) ?? []
  return problems.map(({ target: text, message }) => {
    const [name = '', target = '_'] = text.split(':')
    return { name, target, message }
  })
}

/** Returns the line that sets a target: the changed keys and, if there can be several targets, whether it is enabled. */
export function importLine({ name, target, keys, multipleTargets, isOn }: TargetImport): string {
  const enable: [string, string][] = multipleTargets ? [['enable', isOn.after ? 'on' : 'off']] : []
  return formatConfigLine(name, target, [...enable, ...keys.map(({ key, after }): [string, string] => [key, after])])
}

/** Returns the import without secrets and passwords, for the browser. */
export function importForBrowser({ name, target, action, keys, multipleTargets, isOn }: TargetImport): ImportChange {
  const enable =
    multipleTargets && action === 'change' && isOn.before !== isOn.after
      ? [{ key: 'enable', before: isOn.before ? 'on' : 'off', after: isOn.after ? 'on' : 'off' }]
      : []
  const shown = keys.map(({ key, before, after }) => {
    if (isSecretKey(key)) return { key, before: '', after: '', secret: true }
    const values = { before: withoutPassword(key, before), after: withoutPassword(key, after) }
    return { key, ...values, ...(values.before !== before || values.after !== after ? { secret: true } : {}) }
  })
  return { name, target, action, key_values: [...enable, ...shown] }
}
