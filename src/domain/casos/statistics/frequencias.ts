import type { Caller } from '../../../caller/caller.ts'
import { invalid } from '../../../errors/catalogue.ts'
import type { Filter } from '../../../filter.ts'
import type { App } from '../../app.ts'
import { padraoOf } from '../agravos/blocos.ts'
import type { Agravo } from '../agravos/vigentes.ts'
import { CAMPOS, type Campo, leafOf } from '../campos.ts'
import { selectionOf } from '../counters/counters.sql.ts'
import { DESCRICOES } from '../descricoes.ts'
import type { TipoAgravo } from '../enumeracoes.ts'
import { withinTerritorio } from '../territorio.ts'
import { type Counts, countDados } from './estatisticas.sql.ts'
import { readNumbers } from './fonte.ts'
import { soleTipoOf } from './recorte.ts'

/** Cases by the answers to questions of one disease: its own fields, and the standard ones that are only shown. */

export interface ValorDaFrequencia extends Counts {
  valor: string
  rotulo: string
}

export interface Frequencia {
  campo: string
  rotulo: string
  valores: ValorDaFrequencia[]
  sem_informacao: number
}

export interface FrequenciasDoAgravo {
  tipo_agravo: TipoAgravo
  total: number
  campos: Frequencia[]
}

export const MOST_CAMPOS = 20

export async function frequenciasOf(
  app: Pick<App, 'db' | 'reader' | 'municipios' | 'agravos'>,
  caller: Caller,
  nomes: readonly string[],
  filter: Filter,
): Promise<FrequenciasDoAgravo> {
  const { municipios, agravos } = app
  const tipo_agravo = soleTipoOf(filter, municipios)
  const contaveis = contaveisOf(agravos.vigentes().get(tipo_agravo) as Agravo)
  const asked = nomes.map((nome) => {
    const found = contaveis.get(nome)
    if (found === undefined)
      throw invalid('query', ['campos'], 'INVALID_VALUE', { allowed: [...contaveis.keys()].join(', ') })
    return found
  })
  const selection = selectionOf(withinTerritorio(filter, caller), municipios)
  const chaves = asked.map(({ campo }) => campo)
  const { total, rows } = await readNumbers(app, { counted: false }, (from) =>
    countDados(from, chaves, selection),
  )
  return {
    tipo_agravo,
    total,
    campos: asked.map((contavel) => {
      const own = rows.filter(({ campo }) => campo === contavel.campo)
      return {
        campo: contavel.campo,
        rotulo: contavel.rotulo,
        valores: valoresOf(contavel, own),
        sem_informacao: own.find(({ valor }) => valor === null)?.total ?? 0,
      }
    }),
  }
}

interface Contavel {
  /** Key in `dados`. */
  campo: string
  rotulo: string
  /** Values in their order; empty: those that occur. */
  valores: { valor: string; rotulo: string }[]
}

const SIM_NAO = [
  { valor: 'true', rotulo: 'Sim' },
  { valor: 'false', rotulo: 'Não' },
]
const COUNTED = ['bool', 'opcao', 'opcoes', 'inteiro', 'municipio']

/** Fields that have few values and are not sealed, by name. */
function contaveisOf({ definicao, proprios }: Agravo): Map<string, Contavel> {
  const own = proprios
    .filter(({ campo }) => !campo.sigiloso && COUNTED.includes(campo.tipo))
    .map(({ campo: { nome, rotulo, tipo, opcoes } }) => ({
      campo: nome,
      rotulo,
      valores:
        tipo === 'bool' ? SIM_NAO : opcoes.map((opcao) => ({ valor: opcao.codigo, rotulo: opcao.rotulo })),
    }))
  const standard = padraoOf(definicao).flatMap((nome) => {
    const campo: Campo = CAMPOS[nome]
    if (campo.place !== 'dados') return []
    const common = { campo: leafOf(nome), rotulo: DESCRICOES[nome] }
    if (campo.kind === 'boolean') return [{ ...common, valores: SIM_NAO }]
    if (campo.kind !== 'one-of' && campo.kind !== 'list-of') return []
    return [{ ...common, valores: campo.values.map((valor) => ({ valor, rotulo: valor })) }]
  })
  return new Map([...own, ...standard].map((contavel) => [contavel.campo, contavel]))
}

const NONE: Counts = {
  ...{ total: 0, confirmado: 0, descartado: 0, inconclusivo: 0, em_investigacao: 0 },
  ...{ hospitalizados: 0, obitos: 0 },
}

/** Values of the definition in their order, also where no case has them; others behind. */
function valoresOf(
  { valores }: Contavel,
  rows: readonly (Counts & { valor: string | null })[],
): ValorDaFrequencia[] {
  const byValor = new Map(rows.map(({ valor, ...counts }) => [valor, counts]))
  const others = rows.flatMap(({ valor }) =>
    valor === null || valores.some((one) => one.valor === valor) ? [] : [{ valor, rotulo: valor }],
  )
  return [...valores, ...others].map((one) => ({ ...NONE, ...byValor.get(one.valor), ...one }))
}
