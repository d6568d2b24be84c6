import { type Io, write } from './context.ts'

export type Column<T> = [title: string, value: (item: T) => unknown]

const textOf = (value: unknown) => String(value ?? '').replaceAll(/[\t\r\n]+/g, ' ')

/** JSON lines, a table for a terminal, or columns between tabs for other programs. */
export async function printList<T>(
  io: Io,
  items: T[],
  columns: Column<T>[],
  { json, head }: { json: boolean; head: boolean },
) {
  if (json) return write(io, items.map((item) => `${JSON.stringify(item)}\n`).join(''))
  const rows = items.map((item) => columns.map(([, value]) => textOf(value(item))))
  const lines = [...(head ? [columns.map(([title]) => title)] : []), ...rows]
  if (!io.stdout.isTTY) return write(io, lines.map((cells) => `${cells.join('\t')}\n`).join(''))
  const widths = columns.map((_, i) => Math.max(...lines.map((cells) => cells[i]?.length ?? 0)))
  const drawn = lines.map((cells) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return write(io, drawn.map((line) => `${line}\n`).join(''))
}

/** One object: JSON in a line, or its plain members one below the other. */
export async function printObject(io: Io, value: object, { json }: { json: boolean }): Promise<void> {
  if (json) return write(io, `${JSON.stringify(value)}\n`)
  const members = membersOf(value, '')
  const width = Math.max(0, ...members.map(([name]) => name.length))
  return write(io, members.map(([name, text]) => `${name.padEnd(width)}  ${text}\n`).join(''))
}

function membersOf(value: object, prefix: string): [string, string][] {
  return Object.entries(value).flatMap(([name, member]): [string, string][] => {
    if (member === null || member === undefined) return []
    if (Array.isArray(member)) return [[`${prefix}${name}`, member.map((one) => shortOf(one)).join(', ')]]
    return typeof member === 'object'
      ? membersOf(member, `${prefix}${name}.`)
      : [[`${prefix}${name}`, textOf(member)]]
  })
}

const shortOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : textOf(value))

const WIDTH = 30

/** Progress bar on stderr, for terminals only. */
export function progressBar({ stderr }: Io) {
  let isDrawn = false
  return {
    draw(what: string, percent: number) {
      if (!stderr.isTTY) return
      const shown = Math.min(Math.floor(percent), 100)
      const filled = Math.round((WIDTH * shown) / 100)
      const drawn = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`
      stderr.write(`\r${what.padEnd(9)} ${drawn} ${String(shown).padStart(3)} %`)
      isDrawn = true
    },
    /** Leaves the line, also after an interrupt. */
    end() {
      if (isDrawn) stderr.write('\n')
      isDrawn = false
    },
  }
}
