import { type Caller, mayIdentify } from '../../caller/caller.ts'
import { AppError, type Problem, problem } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import type { Campos } from './campos.ts'
import { findCasoWithSigilo } from './casos.sql.ts'
import { findByNotificacao, listByPessoa, type SemelhanteRow } from './duplicados.sql.ts'
import type { CasoInput } from './input.ts'
import { resolveChange, resolveNovo } from './resolve.ts'
import { duplicadoChave, toCampos } from './sigilo.ts'
import { assertAcesso, isOutside, PLACE_FIELDS, placesOf } from './territorio.ts'

/** A creation or a change of a case without writing: its problems, the fields that follow from others, cases that it may repeat. */

type Needs = Pick<App, 'db' | 'clock' | 'cipher' | 'chaves' | 'municipios' | 'agravos'>

export const MOTIVOS_DE_DUPLICADO = ['numero_e_data', 'paciente_e_sintomas'] as const

export interface PossivelDuplicado
  extends Pick<SemelhanteRow, 'id' | 'numero_notificacao' | 'data_notificacao'> {
  motivo: (typeof MOTIVOS_DE_DUPLICADO)[number]
}

export interface Verificacao {
  /** The whole case as it would be stored. */
  campos: Campos
  /** Of the fields and the rules between them, without those of the schema. */
  problems: Problem[]
  /** A sound request would be refused with `OUT_OF_TERRITORY`. */
  fora: boolean
  duplicados: PossivelDuplicado[]
}

/** Days between the onsets of two records of one illness, as a person judges them; the indicator of quality is stricter. */
const MAX_DAYS = 30
const MAX_DUPLICADOS = 10
/** Read before those outside the territory are dropped. */
const MAX_READ = 100

/** `unsound`: the schema found problems, so that nothing further is judged about the whole. */
export async function verifyNovo(
  app: Needs,
  caller: Caller,
  input: CasoInput,
  unsound: boolean,
): Promise<Verificacao> {
  const { campos, problems } = resolveNovo(app, input, app.clock.now())
  const fora = isOutside(caller.territorio, placesOf(campos))
  return concluded(app, caller, { campos, problems, fora, id: null, unsound })
}

/** A change of a case; one outside the territory is not there. */
export async function verifyChange(
  app: Needs,
  caller: Caller,
  id: number,
  input: CasoInput,
  unsound: boolean,
): Promise<Verificacao> {
  const row = await findCasoWithSigilo(app.db, id)
  if (row === null) throw new AppError('NOT_FOUND')
  assertAcesso(caller, { ...placesOf(row), responsavel_id: row.responsavel?.id ?? null })
  const before = toCampos(app.cipher, row)
  const { campos, problems, alterados } = resolveChange(app, caller, before, input, app.clock.now())
  const fora =
    alterados.some((nome) => PLACE_FIELDS.includes(nome)) && isOutside(caller.territorio, placesOf(campos))
  return concluded(app, caller, { campos, problems, fora, id, unsound })
}

interface Resolved extends Pick<Verificacao, 'campos' | 'problems' | 'fora'> {
  id: number | null
  unsound: boolean
}

async function concluded(
  app: Needs,
  caller: Caller,
  { campos, problems, fora, id, unsound }: Resolved,
): Promise<Verificacao> {
  const same = await sameNotificacao(app, campos, id)
  // A request meets the database's own refusal only behind all others.
  const repeats = same !== null && problems.length === 0 && !fora && !unsound
  return {
    campos,
    problems: repeats ? [problem('body', ['numero_notificacao'], 'DUPLICATE', {})] : problems,
    fora,
    duplicados: await duplicadosOf(app, caller, campos, id, same),
  }
}

/** Texts that the schema refuses may be ones that PostgreSQL cannot take. */
const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

async function sameNotificacao(
  { db }: Needs,
  campos: Campos,
  except: number | null,
): Promise<SemelhanteRow | null> {
  const { tipo_agravo, numero_notificacao, data_notificacao } = campos
  if (tipo_agravo === null || numero_notificacao === null || data_notificacao === null) return null
  if (!isStorable(tipo_agravo) || !isStorable(numero_notificacao)) return null
  return findByNotificacao(db, campos, except)
}

/**
 * Cases inside the territory only. Those of one person are found by a hash of sealed values, hence told only to callers who may
 * identify patients: others could send a guess and watch the answer (D-243).
 */
async function duplicadosOf(
  app: Needs,
  caller: Caller,
  campos: Campos,
  except: number | null,
  same: SemelhanteRow | null,
): Promise<PossivelDuplicado[]> {
  const ofPessoa = mayIdentify(caller) ? await samePessoa(app, campos, except) : []
  const found = [
    ...(same === null ? [] : [{ ...same, motivo: 'numero_e_data' as const }]),
    ...ofPessoa
      .filter(({ id }) => id !== same?.id)
      .map((row) => ({ ...row, motivo: 'paciente_e_sintomas' as const })),
  ]
  return found
    .filter((row) => !isOutside(caller.territorio, row))
    .slice(0, MAX_DUPLICADOS)
    .map(({ id, numero_notificacao, data_notificacao, motivo }) => ({
      id,
      numero_notificacao,
      data_notificacao,
      motivo,
    }))
}

async function samePessoa(
  { db, chaves }: Needs,
  campos: Campos,
  except: number | null,
): Promise<SemelhanteRow[]> {
  const { municipio_residencia, data_inicio_sintomas } = campos
  const duplicado_chave = duplicadoChave(chaves.duplicado, campos)
  if (duplicado_chave === null || municipio_residencia === null || data_inicio_sintomas === null) return []
  const key = { municipio_residencia, duplicado_chave, data_inicio_sintomas }
  return listByPessoa(db, key, { days: MAX_DAYS, limit: MAX_READ, except })
}
