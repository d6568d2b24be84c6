import type { CriarUsuario, Grupo, LugarDaConta, UsuarioItem } from '../../ts/src/index.ts'
import { ask, confirm } from '../ask.ts'
import { CliError, EXIT, say } from '../context.ts'
import { type Listing, list } from '../lists.ts'
import { type Column, printObject } from '../output.ts'
import { command } from '../run.ts'
import type { Texts } from '../texts.ts'

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

interface Creating {
  simular: boolean
  nome: string
  email: string
  grupos?: string
  territorios?: string
}

/** The password is no argument, which other users of the machine could read. */
export const criarUsuario = command<Creating>(async ({ io, t, vigia, given }, flags) => {
  const { nome, email } = flags
  const grupos_ids = listOf(flags.grupos).map((id) => groupOf(id, t))
  const territorios = listOf(flags.territorios).map((codigo) => placeOf(codigo, t))
  if (flags.simular) return say(io, t.would(t.create(email)))
  const senha = await ask(io, t.password(email), t, { hidden: true })
  const body: CriarUsuario = { nome, email, senha, grupos_ids, territorios }
  await printObject(io, await vigia.post('/usuarios', { body }, given), flags)
})

const listOf = (text = ''): string[] => text.split(',').flatMap((one) => one.trim() || [])

function groupOf(id: string, t: Texts): number {
  if (!/^[1-9]\d{0,8}$/.test(id)) throw new CliError(t.badGroup(id), EXIT.usage)
  return Number(id)
}

const PLACES: [RegExp, LugarDaConta['nivel']][] = [
  [/^[A-Z]{2}$/, 'uf'],
  [/^\d{5}$/, 'regiao_saude'],
  [/^\d{6,7}$/, 'municipio'],
]

function placeOf(codigo: string, t: Texts): LugarDaConta {
  const [, nivel] = PLACES.find(([form]) => form.test(codigo)) ?? []
  if (nivel === undefined) throw new CliError(t.badPlace(codigo), EXIT.usage)
  return { nivel, codigo }
}

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
