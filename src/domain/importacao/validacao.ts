import type { Db } from '../../db/db.ts'
import type { Ocorrencia } from '../casos/bulk/bulk.ts'
import { type EfeitoPorSemana, type EffectScope, effectByWeek, periodOfStaged } from '../casos/bulk/efeito.ts'
import type { Coluna, LinhaDaAmostra } from './amostra.ts'
import { OUTSIDE } from './convert.ts'
import type { ImportParameters } from './importacoes.ts'
import {
  type Causa,
  CauseTally,
  causaOf,
  fileCause,
  type GrupoDeCausa,
  MERGED_ROW,
  REPEATED_ROW,
} from './layouts/causas.ts'
import type { FileLook, StagedFile } from './stage.ts'

/** Result of a dry run beyond that of an import: the file, its problems by cause, its effect. */

export interface Validacao {
  colunas: Coluna[]
  codificacao: string | null
  delimitador: string | null
  amostra: LinhaDaAmostra[]
  /** First and last day of notification. */
  periodo: { inicio: string; fim: string } | null
  problemas: GrupoDeCausa[]
  avisos_agrupados: GrupoDeCausa[]
  /** Null for an account that may not see statistics. */
  efeito_por_semana: EfeitoPorSemana | null
  /** Until then the file can be imported without being sent again. */
  arquivo_guardado_ate: string
}

/** Time that a validated file is kept for its import. */
export const KEEP_VALIDATED_MS = 3_600_000

const lookedAt = ({ codificacao, delimitador, sample }: FileLook) => ({
  colunas: sample.colunas(),
  codificacao,
  delimitador,
  amostra: sample.amostra,
})

/** Of a file that is known as a whole: it changes nothing. */
export const unchangedValidation = (
  look: FileLook,
  { estatisticas }: Pick<ImportParameters, 'estatisticas'>,
  keptUntil: Date,
): Validacao => ({
  ...lookedAt(look),
  periodo: null,
  problemas: [],
  avisos_agrupados: [],
  efeito_por_semana: estatisticas ? { data_base: 'sintomas', semanas: [], sem_semana: 0 } : null,
  arquivo_guardado_ate: keptUntil.toISOString(),
})

export interface Findings {
  staged: StagedFile
  comparison: { duplicados: readonly { linha: number }[] }
  planned: {
    avisos: readonly Ocorrencia[]
    /** Lines that differ from the case that absorbed theirs. */
    divergentes: readonly { linha: number }[]
  }
  /** Lines that are valid by themselves. */
  refused: readonly Ocorrencia[]
  /** Null: the effect is not told. */
  scope: EffectScope | null
}

export async function validationOf(
  tx: Db,
  numero: number,
  { staged, comparison, planned, refused, scope }: Findings,
  keptUntil: Date,
): Promise<Validacao> {
  const titleOf = titlesIn(staged.look)
  staged.look.sample.mask(refused.map(({ linha }) => linha))
  const [problemas, avisos] = [new CauseTally(staged.problemas), new CauseTally(staged.avisos)]
  for (const one of refused) for (const causa of causasOf(one, titleOf)) problemas.add(causa, one.linha)
  for (const one of planned.avisos) for (const causa of causasOf(one, titleOf)) avisos.add(causa, one.linha)
  for (const { linha } of comparison.duplicados) avisos.add(REPEATED_ROW, linha)
  for (const { linha } of planned.divergentes) avisos.add(MERGED_ROW, linha)
  for (const { column, message } of staged.fileWarnings) avisos.add(fileCause(column, message), null)
  return {
    ...lookedAt(staged.look),
    periodo: await periodOfStaged(tx, numero),
    problemas: problemas.list(),
    avisos_agrupados: avisos.list(),
    efeito_por_semana: scope && (await effectByWeek(tx, numero, scope)),
    arquivo_guardado_ate: keptUntil.toISOString(),
  }
}

/** Column of each field, for causes that the comparison with a case finds. */
function titlesIn({ sample }: FileLook): (campo: string) => string | null {
  const titles = new Map<string, string>()
  for (const { campo, uso, nome } of sample.colunas())
    if (campo !== null && uso === 'usada' && !titles.has(campo)) titles.set(campo, nome)
  return (campo) => titles.get(campo) ?? null
}

const causasOf = ({ problems }: Ocorrencia, titleOf: (campo: string) => string | null): Causa[] =>
  problems.length === 0 ? [OUTSIDE] : problems.map((one) => causaOf(one, titleOf(one.path.join('.'))))
