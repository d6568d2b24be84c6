import type { Caller } from '../../../caller/caller.ts'
import { invalid } from '../../../errors/catalogue.ts'
import type { App } from '../../app.ts'
import { by } from '../../auditoria/auditoria.ts'
import { detalhesComMotivo } from '../../auditoria/motivo.ts'
import { takeOne } from '../../rate-limits/rate-limits.ts'
import { unseal } from '../sigilo.ts'
import { chavesOf, type Identidade } from './chaves.ts'
import { createComparador } from './comparar.ts'
import { type CasoDoPar, listAcessiveis, listCasosDosPares } from './duplicidades.sql.ts'
import { type Escore, pontuar } from './escore.ts'
import { listByChaves, listIdentidades } from './identidade.sql.ts'

/** Cases of one person, found by name with a date or a place. Every search and every result is in the audit, with its reason. */

type Needs = Pick<App, 'db' | 'clock' | 'cipher' | 'chaves' | 'auditoria' | 'municipios' | 'agravos'>

export interface BuscaDePessoa {
  nome: string
  /** A day, a month or a year. */
  nascimento: string | null
  /** IBGE code. */
  municipio: number | null
  motivo: string
}

export interface PessoaAchada extends Escore {
  caso: CasoDoPar
  nome: string | null
  nascimento: string | null
}

const PER_HOUR = 30
const MOST_OF_KEY = 300
const MOST_TOLD = 50

export async function buscarPessoa(
  app: Needs,
  caller: Caller,
  busca: BuscaDePessoa,
): Promise<PessoaAchada[]> {
  const { municipio } = busca
  if (municipio !== null && app.municipios.byCodigo(municipio) === null)
    throw invalid('body', ['municipio'], 'UNKNOWN_MUNICIPIO', {})
  if (municipio === null && busca.nascimento === null) throw invalid('body', ['nascimento'], 'REQUIRED', {})
  const comparador = createComparador(app)
  const palavras = comparador.palavrasOf(busca.nome)
  if (palavras.length === 0) throw invalid('body', ['nome'], 'INVALID_FORMAT', { expected: 'text' })
  await takeOne(app, { kind: 'pessoas', usuarioId: caller.id, perHour: PER_HOUR })
  const identidade: Identidade = {
    ...{ palavras, municipio, sexo: null, bairro: null },
    nascimento: busca.nascimento?.length === DAY ? busca.nascimento : null,
  }
  const rows = await candidatos(app, caller, identidade, busca.nascimento)
  const abertos = comparador.openAll(rows)
  const frequencias = await comparador.frequenciasOf(app.db, [
    identidade,
    ...abertos.map((one) => one.identidade),
  ])
  const found = abertos
    .filter(({ identidade: { nascimento } }) => isBornIn(nascimento, busca.nascimento))
    .map((one) => ({ id: one.id, ...pontuar(identidade, one.identidade, null, frequencias) }))
    .filter(({ sinais }) => sinais.primeiro_nome !== 'outro')
    .sort((a, b) => b.escore - a.escore || a.id - b.id)
    .slice(0, MOST_TOLD)
  const ids = found.map(({ id }) => id)
  await recordBusca(app, caller, busca.motivo, ids)
  const [casos, sealed] = [await listCasosDosPares(app.db, ids), new Map(rows.map((row) => [row.id, row]))]
  return found.flatMap(({ id, ...escore }) => {
    const [caso, row] = [casos.get(id), sealed.get(id)]
    if (caso === undefined || row === undefined) return []
    const { paciente_nome: nome, paciente_data_nascimento: nascimento } = unseal(app.cipher, row)
    return [{ caso, nome, nascimento, ...escore }]
  })
}

/** Letters of a whole day and of a year. */
const DAY = 10
const YEAR = 4

/** Cases of all diseases with a key of the person; a year alone gives one of them. */
async function candidatos(
  { db, chaves, municipios, agravos }: Needs,
  caller: Caller,
  identidade: Identidade,
  nascimento: string | null,
) {
  const inYear = nascimento !== null && nascimento.length < DAY ? `${nascimento.slice(0, YEAR)}-00-00` : null
  const keys = agravos
    .vigentes()
    .codigos.flatMap((tipo) => [
      ...chavesOf(chaves.identidade, tipo, identidade),
      ...(inYear === null ? [] : chavesOf(chaves.identidade, tipo, { ...identidade, nascimento: inYear })),
    ])
  const ids = await listByChaves(db, keys, null, MOST_OF_KEY)
  const open = await listAcessiveis(db, municipios, caller, ids)
  return listIdentidades(db, [...open])
}

const isBornIn = (nascimento: string | null, asked: string | null) =>
  nascimento === null || asked === null || asked.length === DAY || nascimento.startsWith(asked)

/** Before anything is told: a search that cannot be recorded is refused. */
async function recordBusca(
  { db, auditoria, cipher }: Needs,
  caller: Caller,
  motivo: string,
  ids: readonly number[],
): Promise<void> {
  const acao = 'pessoa.buscada'
  await db.transaction((tx) =>
    auditoria.record(tx, {
      acao,
      ...by(caller),
      recurso: 'caso',
      recurso_id: null,
      detalhes: detalhesComMotivo(cipher, motivo, { acao, ator_id: caller.id, casos: ids }),
    }),
  )
}
