import type { Grupo, UsuarioItem } from '../../ts/src/index.ts'
import { confirm } from '../ask.ts'
import { say } from '../context.ts'
import { type Listing, list } from '../lists.ts'
import { type Column, printObject } from '../output.ts'
import { command } from '../run.ts'

const USUARIOS: Column<UsuarioItem>[] = [
  ['id', ({ id }) => id],
  ['nome', ({ nome }) => nome],
  ['email', ({ email }) => email],
  ['ativo', ({ ativo }) => ativo],
  ['grupos', ({ grupos }) => grupos.map(({ nome }) => nome).join(', ')],
  ['ultimo_acesso', ({ ultimo_acesso }) => ultimo_acesso],
]
const GRUPOS: Column<Grupo>[] = [
  ['id', ({ id }) => id],
  ['nome', ({ nome }) => nome],
  ['usuarios', ({ total_usuarios }) => total_usuarios],
  ['descricao', ({ descricao }) => descricao],
]

export const listarUsuarios = command<Listing>((session, flags) =>
  list(session, '/usuarios', USUARIOS, flags),
)
export const listarGrupos = command<Listing>((session, flags) => list(session, '/grupos', GRUPOS, flags))

export const verUsuario = command<object, [number]>(async ({ io, vigia, given }, { json }, id) => {
  await printObject(io, await vigia.get('/usuarios/{id}', { params: { id } }, given), { json })
})
export const verGrupo = command<object, [number]>(async ({ io, vigia, given }, { json }, id) => {
  await printObject(io, await vigia.get('/grupos/{id}', { params: { id } }, given), { json })
})

type Changing = { simular: boolean; sim: boolean }

export const desativar = command<Changing, [number]>(async ({ io, t, vigia, given }, flags, id) => {
  const { email } = await vigia.get('/usuarios/{id}', { params: { id } }, given)
  if (flags.simular) return say(io, t.would(t.deactivate(email)))
  await confirm(io, t.deactivate(email), flags.sim, t)
  await printObject(io, await vigia.post('/usuarios/{id}/desativar', { params: { id } }, given), flags)
})

export const reativar = command<Pick<Changing, 'simular'>, [number]>(
  async ({ io, t, vigia, given }, flags, id) => {
    const { email } = await vigia.get('/usuarios/{id}', { params: { id } }, given)
    if (flags.simular) return say(io, t.would(t.reactivate(email)))
    await printObject(io, await vigia.post('/usuarios/{id}/reativar', { params: { id } }, given), flags)
  },
)
