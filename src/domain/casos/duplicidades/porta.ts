import { addDays } from '../../../brasil/calendar.ts'
import { type Caller, holds } from '../../../caller/caller.ts'
import { AppError } from '../../../errors/catalogue.ts'
import type { App } from '../../app.ts'
import type { Campos } from '../campos.ts'
import { createCaso, type SavedCaso } from '../create.ts'
import type { CasoInput } from '../input.ts'
import { resolveNovo } from '../resolve.ts'
import { isOutside, placesOf } from '../territorio.ts'
import { chavesOf, type Identidade } from './chaves.ts'
import { createComparador, daysApart } from './comparar.ts'
import { listAcessiveis } from './duplicidades.sql.ts'
import { type Escore, type FaixaDoPar, faixaOf, pontuar } from './escore.ts'
import { listByChaves, listIdentidades } from './identidade.sql.ts'

/** Look for duplicates of a case before it is stored, only where the request asks for it. */

type Needs = Pick<
  App,
  'db' | 'clock' | 'cipher' | 'chaves' | 'auditoria' | 'municipios' | 'agravos' | 'duplicidadeDias'
>

export const PORTAS = ['avisar', 'recusar'] as const
export type Porta = (typeof PORTAS)[number]

export interface PossivelDuplicidade extends Escore {
  id: number
  faixa: FaixaDoPar
}

export interface CriadoNaPorta {
  saved: SavedCaso
  /** Null: nothing was looked for. */
  possiveis: PossivelDuplicidade[] | null
}

/**
 * Creates a case; with `avisar` the answer names cases it may repeat, with `recusar` it is refused where there are any. Needs the
 * right to decide about pairs: the answer depends on sealed names.
 */
export async function createNaPorta(
  app: Needs,
  caller: Caller,
  input: CasoInput,
  porta: Porta | undefined,
): Promise<CriadoNaPorta> {
  if (porta === undefined) return { saved: await createCaso(app, caller, input), possiveis: null }
  if (!holds(caller, 'agravos.duplicidades'))
    throw new AppError('PERMISSION_DENIED', { required_permission: 'agravos.duplicidades' })
  const { campos, problems } = resolveNovo(app, input, app.clock.now())
  const isSound = problems.length === 0 && !isOutside(caller.territorio, placesOf(campos))
  const possiveis = isSound ? await possiveisDuplicidades(app, caller, campos) : []
  if (porta === 'recusar' && possiveis.length > 0)
    throw new AppError('POSSIBLE_DUPLICATE', {
      duplicidades: possiveis.map(({ id, faixa }) => ({ id, faixa })),
    })
  return { saved: await createCaso(app, caller, input), possiveis }
}

/** Cases read for each key. */
const MOST_OF_KEY = 200
const MOST_TOLD = 10

/** Live cases that the caller may open, the likeliest first. */
async function possiveisDuplicidades(
  app: Needs,
  caller: Caller,
  campos: Campos,
): Promise<PossivelDuplicidade[]> {
  const { db, chaves, municipios, duplicidadeDias } = app
  const comparador = createComparador(app)
  const identidade: Identidade = {
    palavras: comparador.palavrasOf(campos.paciente_nome ?? ''),
    nascimento: campos.paciente_data_nascimento,
    sexo: campos.paciente_sexo,
    municipio: campos.municipio_residencia,
    bairro: campos.bairro_residencia,
  }
  const { tipo_agravo, data_notificacao: dia } = campos
  const keys = chavesOf(chaves.identidade, tipo_agravo, identidade)
  const period = { from: addDays(dia, -duplicidadeDias), to: addDays(dia, duplicidadeDias) }
  const ids = keys.length === 0 ? [] : await listByChaves(db, keys, period, MOST_OF_KEY)
  const abertos = comparador.openAll(await listIdentidades(db, ids))
  const frequencias = await comparador.frequenciasOf(db, [
    identidade,
    ...abertos.map((one) => one.identidade),
  ])
  const found = abertos.flatMap((one) => {
    const escore = pontuar(identidade, one.identidade, daysApart(dia, one.dia), frequencias)
    const faixa = faixaOf(escore.escore)
    return faixa === null ? [] : [{ id: one.id, faixa, ...escore }]
  })
  const open = await listAcessiveis(
    db,
    municipios,
    caller,
    found.map(({ id }) => id),
  )
  return found
    .filter(({ id }) => open.has(id))
    .sort((a, b) => b.escore - a.escore || a.id - b.id)
    .slice(0, MOST_TOLD)
}
