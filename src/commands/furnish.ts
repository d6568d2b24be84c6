import type { Caller } from '../caller/caller.ts'
import { GRUPOS, NOTICIAS, PESSOAS } from '../demo/equipe.ts'
import { pageOfAlertas, reconhecer } from '../domain/alertas/alertas.ts'
import type { App } from '../domain/app.ts'
import { createAgenda } from '../domain/boletins/agendas.ts'
import { pedirBoletim } from '../domain/boletins/boletins.ts'
import { changeCaso, createCaso, excludeCaso } from '../domain/casos/create.ts'
import { createGrupo, pageOfGrupos } from '../domain/grupos/grupos.ts'
import { createNoticia } from '../domain/noticias/noticias.ts'
import { listPermissoes } from '../domain/permissoes/permissoes.ts'
import { generatePassword } from '../domain/senhas/rules.ts'
import { createUsuario } from '../domain/usuarios/create.ts'
import { createVisao } from '../domain/visoes/visoes.ts'
import type { ListQuery } from '../filter.ts'
import { deliverToMadeUp, makeWebhooks } from './furnish-webhooks.ts'

/** All that a sandbox has beside its imported cases, so that every screen shows something. */

const DAY_MS = 86_400_000
const RECIFE = '2611606'

export interface Furnished {
  /** Of every account of the staff. */
  senha: string
  emails: string[]
}

export async function furnish(app: App, caller: Caller, today: string): Promise<Furnished> {
  const grupos = await makeGrupos(app, caller)
  const senha = generatePassword()
  await makePessoas(app, caller, grupos, senha)
  await makeNoticias(app, caller)
  const webhooks = await makeWebhooks(app, caller)
  await makeVisoes(app, caller)
  await makeCasos(app, caller, today)
  await deliverToMadeUp(app, caller, webhooks)
  await makeAgenda(app, caller, grupos)
  return { senha, emails: PESSOAS.filter(({ ativo }) => ativo).map(({ email }) => email) }
}

export async function isFurnished({ db }: Pick<App, 'db'>): Promise<boolean> {
  const filter: ListQuery['filter'] = { kind: 'test', field: 'nome', op: 'eq', value: GRUPOS[0]?.nome ?? '' }
  return (await pageOfGrupos(db, { page: 1, size: 1, sort: 'id', order: 'asc', filter })).total > 0
}

async function makeGrupos(app: App, caller: Caller): Promise<Map<string, number>> {
  const ids = new Map((await listPermissoes(app.db)).map(({ id, nome }) => [nome, id]))
  const made = new Map<string, number>()
  for (const { permissoes, ...grupo } of GRUPOS) {
    const permissoes_ids = permissoes.map((nome) => ids.get(nome) as number)
    const { id } = await createGrupo(app, caller, { ...grupo, ativo: true, permissoes_ids })
    made.set(grupo.nome, id)
  }
  return made
}

async function makePessoas(
  app: App,
  caller: Caller,
  grupos: Map<string, number>,
  senha: string,
): Promise<void> {
  for (const { grupo, ...pessoa } of PESSOAS)
    await createUsuario(app, caller, {
      ...pessoa,
      estado: 'PE',
      telefone: null,
      funcao: null,
      departamento: null,
      cpf: null,
      admin: false,
      senha,
      forcar_troca: false,
      plano: null,
      grupos_ids: [grupos.get(grupo) as number],
      permissoes_ids: [],
      idioma: 'pt-BR',
    })
}

async function makeNoticias(app: App, caller: Caller): Promise<void> {
  for (const { dias, ...noticia } of NOTICIAS.toReversed()) {
    const publicado_em = new Date(app.clock.now().getTime() - dias * DAY_MS)
    await createNoticia(app, caller, { ...noticia, url: null, publicado_em })
  }
}

async function makeVisoes(app: App, caller: Caller): Promise<void> {
  const visoes = [
    ['Dengue no Recife', `agravo=dengue&municipio=${RECIFE}`],
    ['Chikungunya no Ceará', 'agravo=chikungunya&uf=CE'],
  ] as const
  for (const [nome, consulta] of visoes)
    await createVisao(app, caller, { tela: 'casos', nome, consulta, grupo_id: null })
}

/** Typed in by hand: one that was corrected, one that was deleted. */
async function makeCasos(app: App, caller: Caller, today: string): Promise<void> {
  const base = {
    tipo_agravo: 'dengue',
    data_notificacao: today,
    data_inicio_sintomas: new Date(Date.parse(today) - 3 * DAY_MS).toISOString().slice(0, 10),
    paciente_sexo: 'F',
    paciente_idade: 34,
    municipio_residencia: RECIFE,
    estado_residencia: 'PE',
    bairro_residencia: 'Boa Vista',
  } as const
  const typed = await createCaso(app, caller, {
    ...base,
    numero_notificacao: '9000001',
    paciente_nome: 'Benedita Exemplo da Paz',
  })
  await changeCaso(
    app,
    caller,
    typed.id,
    { 'dados_laboratoriais.ns1': 'positivo', hospitalizacao: true, data_internacao: today },
    null,
  )
  const wrong = await createCaso(app, caller, {
    ...base,
    numero_notificacao: '9000002',
    paciente_nome: 'Teste de Digitação',
  })
  await excludeCaso(app, caller, wrong.id, 'Registrado por engano: não é um caso.', null)
}

const pedidoOf = (municipio?: string) => ({
  tipo_agravo: 'dengue' as const,
  ...(municipio === undefined ? { estado: 'PE' as const } : { municipio }),
  publico: false,
  texto: { titulo: null, destaques: [], nota: null },
})

async function makeAgenda(app: App, caller: Caller, grupos: Map<string, number>): Promise<void> {
  await createAgenda(app, caller, {
    nome: 'Boletim semanal de Pernambuco',
    dia_semana: 1,
    hora: '07:00',
    pedidos: [pedidoOf()],
    ativo: true,
    grupos: [grupos.get('vigilancia_estadual') as number],
  })
}

const NOTAS = [
  'Equipe de campo enviada aos bairros com mais casos; nova avaliação na segunda-feira.',
  'Conferido com o município: o aumento é real. Reunião da sala de situação marcada.',
  'Casos atrasados do laboratório entraram de uma vez; acompanhamos a próxima semana.',
]

/** Some of the newest alerts of the state; most stay open. */
export async function acknowledgeSome(app: App, caller: Caller): Promise<void> {
  const filter: ListQuery['filter'] = { kind: 'test', field: 'estado', op: 'eq', value: 'PE' }
  const newest = { page: 1, size: NOTAS.length, sort: 'id', order: 'desc' as const, filter }
  const { items } = await pageOfAlertas(app, caller, newest)
  for (const [i, { id }] of items.entries()) await reconhecer(app, caller, id, NOTAS[i] as string)
}

/** Ids of their jobs. */
export const askForBoletins = (app: App, caller: Caller): Promise<string[]> =>
  Promise.all([pedirBoletim(app, caller, pedidoOf()), pedirBoletim(app, caller, pedidoOf(RECIFE))])
