import { reason } from '@stowage/contract'
import { formatConfigLine, formatConfigTarget, type Madmin } from '@stowage/madmin'
import type { FastifyBaseLogger } from 'fastify'
import { HttpError } from '../../lib/errors/http-errors.ts'
import { configRefusal } from './change-config.ts'
import { type ImportPlan, importLine, type TargetImport } from './config-import-plan.ts'

interface ImportOptions {
  /** Also removes targets that the file does not contain. */
  remove: boolean
  /** Whether one call to the server sets several subsystems at once, all or none. Our own store does so. */
  atomic: boolean
  log: FastifyBaseLogger
}

/**
 * Applies a planned import. MinIO accepts one subsystem per call, so subsystems are set one after the other; if one is refused,
 * the earlier ones are restored.
 * @throws HttpError 400 with the first problem, or with the server's text; 500 if values could not be restored
 */
export async function applyImport(
  madmin: Madmin,
  plan: ImportPlan,
  options: ImportOptions,
): Promise<{ restart: boolean }> {
  const [problem] = plan.problems
  if (problem) {
    throw new HttpError(400, reason('config-import-problems', { count: plan.problems.length }), {
      field: 'value',
      detail: `${[formatConfigTarget(problem.name, problem.target), problem.key ?? ''].join(' ').trim()}: ${problem.message}`,
    })
  }
  const imports = plan.imports.filter(({ action }) => options.remove || action !== 'remove')
  const groups = options.atomic ? [imports] : groupBySubsystem(imports)
  const done: TargetImport[] = []
  let restart = false
  for (const group of groups) {
    try {
      restart = (await setAll(madmin, group, options.atomic)) || restart
      done.push(...group)
    } catch (error) {
      // The group may have been set partly.
      if (!options.atomic) await undoImports(madmin, [...done, ...group], options.log)
      throw configRefusal(error, [])
    }
  }
  return { restart }
}

/** Groups imports by subsystem. */
function groupBySubsystem(imports: readonly TargetImport[]): TargetImport[][] {
  const names = [...new Set(imports.map(({ name }) => name))]
  return names.map((name) => imports.filter((each) => each.name === name))
}

async function setAll(madmin: Madmin, group: readonly TargetImport[], atomic: boolean): Promise<boolean> {
  const kept = group.filter(({ action }) => action !== 'remove')
  let restart = false
  // In our own store, an empty value clears a key.
  const lines = kept
    .filter((each) => atomic || each.multipleTargets || hasValues(each))
    .map((each) => importLine(atomic ? each : { ...each, keys: each.keys.filter(({ after }) => after !== '') }))
  if (lines.length > 0) restart = (await madmin.setConfig(lines.join('\n'))).restart
  for (const line of deletionLines(group, atomic)) restart = (await madmin.deleteConfig(line)).restart || restart
  return restart
}

const hasValues = ({ keys }: TargetImport) => keys.some(({ after }) => after !== '')

function deletionLines(group: readonly TargetImport[], atomic: boolean): string[] {
  const removed = group
    .filter(({ action }) => action === 'remove')
    .map(({ name, target }) => formatConfigTarget(name, target))
  if (atomic) return removed.length > 0 ? [removed.join('\n')] : []
  const cleared = group
    .filter(({ action }) => action !== 'remove')
    .flatMap(({ name, target, keys }) => {
      const names = keys.filter(({ before, after }) => before !== '' && after === '').map(({ key }) => key)
      return names.length > 0 ? [[formatConfigTarget(name, target), ...names].join(' ')] : []
    })
  return [...cleared, ...removed]
}

/** Restores the previous values of targets, in reverse order. @throws HttpError 500 */
async function undoImports(madmin: Madmin, imports: readonly TargetImport[], log: FastifyBaseLogger): Promise<void> {
  let failed: string | undefined
  for (const each of [...imports].reverse()) {
    try {
      await undoImport(madmin, each)
    } catch (error) {
      log.error({ err: error }, 'could not restore a target after a failed import')
      failed = formatConfigTarget(each.name, each.target)
    }
  }
  if (failed !== undefined) throw new HttpError(500, reason('config-import-half', { name: failed }))
}

async function undoImport(
  madmin: Madmin,
  { name, target, action, keys, multipleTargets, isOn }: TargetImport,
): Promise<void> {
  const line = formatConfigTarget(name, target)
  if (action === 'add') {
    // The target may not have been created.
    await madmin.deleteConfig(line).catch(() => undefined)
    return
  }
  const enable: [string, string][] = multipleTargets ? [['enable', isOn.before ? 'on' : 'off']] : []
  const before = keys.filter((each) => each.before !== '').map(({ key, before }): [string, string] => [key, before])
  const pairs = [...enable, ...before]
  if (pairs.length > 0) await madmin.setConfig(formatConfigLine(name, target, pairs))
  const added = keys.filter((each) => each.before === '').map(({ key }) => key)
  if (added.length > 0) await madmin.deleteConfig([line, ...added].join(' '))
}
