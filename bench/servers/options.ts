import { parseArgs } from 'node:util'
import { GiB, KiB, MiB } from '@stowage/contract/values/units'

export const USAGE = `Measures consoles and stores side by side and prints a Markdown table.

  npm run bench                                     our console and store, started for it
  npm run bench -- [options]

Consoles (all in front of one storage server)
  --console URL | NAME=URL   a console; repeat it, or say --peer, for others
  --server URL               the storage server behind them; the objects to list are put there
  --listed BUCKET            such a bucket that an earlier run left there with --keep; --objects says how many it has
  --pid NAME=PID             process whose memory is watched while ten transfers run
Stores
  --store URL | NAME=URL     a store by itself; repeatable
  --start NAME=COMMAND       a program whose start is timed; --ready NAME=URL answers 200 when it is up
Common
  --user, --password         default minioadmin, minioadmin
  --runs N                   how often each thing is measured (5)
  --objects N                objects to list, a tenth of them in one prefix (100000)
  --size N[KiB|MiB|GiB]      size of a large object (1GiB)
  --only WORD                measure only what has this word in its name; repeatable
  --keep                     leave the buckets there
`

export interface NamedTarget {
  readonly name: string
  readonly value: string
}

export interface BenchOptions {
  readonly consoles: readonly NamedTarget[]
  readonly server: string | undefined
  readonly listed: string | undefined
  readonly pids: ReadonlyMap<string, number>
  readonly stores: readonly NamedTarget[]
  readonly starts: readonly NamedTarget[]
  readonly ready: ReadonlyMap<string, string>
  readonly user: string
  readonly password: string
  readonly runs: number
  readonly objects: number
  /** Bytes. */
  readonly size: number
  readonly only: readonly string[]
  readonly keep: boolean
}

/** Parses the command line. @throws Error with a line for the user */
export function readOptions(args: readonly string[]): BenchOptions | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      console: { type: 'string', multiple: true, default: [] },
      peer: { type: 'string', multiple: true, default: [] },
      server: { type: 'string' },
      listed: { type: 'string' },
      pid: { type: 'string', multiple: true, default: [] },
      store: { type: 'string', multiple: true, default: [] },
      start: { type: 'string', multiple: true, default: [] },
      ready: { type: 'string', multiple: true, default: [] },
      user: { type: 'string', default: 'minioadmin' },
      password: { type: 'string', default: 'minioadmin' },
      runs: { type: 'string', default: '5' },
      objects: { type: 'string', default: '100000' },
      size: { type: 'string', default: '1GiB' },
      only: { type: 'string', multiple: true, default: [] },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return 'help'
  return {
    consoles: [...values.console, ...values.peer].map((text) => named(text, 'console')),
    server: values.server,
    listed: values.listed,
    pids: new Map(values.pid.map((text) => named(text, 'console')).map(({ name, value }) => [name, Number(value)])),
    stores: values.store.map((text) => named(text, 'store')),
    starts: values.start.map((text) => named(text, 'start')),
    ready: new Map(values.ready.map((text) => named(text, 'start')).map(({ name, value }) => [name, value])),
    user: values.user,
    password: values.password,
    runs: count(values.runs, '--runs'),
    objects: count(values.objects, '--objects'),
    size: parseSizeOption(values.size),
    only: values.only,
    keep: values.keep,
  }
}

/** Parses `NAME=VALUE`, or a value without a name; a URL's own `=` comes after its `:`. */
function named(text: string, name: string): NamedTarget {
  const match = /^([^:=/]+)=(.+)$/s.exec(text)
  return match?.[1] && match[2] ? { name: match[1], value: match[2] } : { name, value: text }
}

function count(text: string, option: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new Error(`${option} must be a whole number above 0, not ${text}`)
}

/** @throws Error unless it is a size such as `64MiB` */
export function parseSizeOption(text: string): number {
  const match = /^(\d+)(B|KiB|MiB|GiB)?$/.exec(text)
  if (!match) throw new Error(`--size must be like 64MiB, not ${text}`)
  const unit = { B: 1, KiB, MiB, GiB }[match[2] ?? 'B'] ?? 1
  return Number(match[1]) * unit
}
