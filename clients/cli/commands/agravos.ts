import { printList } from '../output.ts'
import { command } from '../run.ts'
import type { Session } from '../session.ts'

/** Diseases that take cases: the code that filters and files use, and the name of each. */
export const agravos = command(async ({ io, vigia, given }, { json }) => {
  const { tipos } = await vigia.get('/agravos/tipos', {}, given)
  await printList(
    io,
    tipos,
    [
      ['codigo', ({ codigo }) => codigo],
      ['nome', ({ nome }) => nome],
      ['cid10', ({ cid10_codes }) => cid10_codes.join(' ')],
    ],
    { json, head: true },
  )
})

/** Names of diseases for people at a terminal; other programs get codes, which do not change. */
export async function namesOf(
  { io, vigia, given }: Session,
  { json }: { json: boolean },
): Promise<(codigo: string) => string> {
  if (json || !io.stdout.isTTY) return (codigo) => codigo
  const { tipos } = await vigia.get('/agravos/tipos', {}, given)
  const names = new Map<string, string>(tipos.map(({ codigo, nome }) => [codigo, nome]))
  return (codigo) => names.get(codigo) ?? codigo
}
