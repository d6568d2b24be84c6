import type { Municipio } from '../../brasil/municipios.ts'
import type { App } from '../app.ts'
import { FAIXAS_ETARIAS } from '../casos/enumeracoes.ts'
import { SEXOS_DA_PIRAMIDE } from '../casos/painel/painel.ts'
import type { CasosDoRetrato } from './retratos.sql.ts'
import type { ContagemPublica, LugarDaTabela } from './tabelas.ts'

/** Counted cases as the tree of places that suppression works on. */

type Reference = Pick<App, 'municipios' | 'territorios' | 'populacao'>

/** Groups of a pyramid in the published order; the last one has the cases without sex or age. */
export const GRUPOS_DA_PIRAMIDE = SEXOS_DA_PIRAMIDE.flatMap((sexo) =>
  FAIXAS_ETARIAS.map((faixa) => ({ sexo, faixa })),
)

export const CHAVE_DO_PAIS = ''
/** Key of the cases of a state whose municipality is unknown, or whose state is. */
export const chaveDesconhecida = (uf: string) => `${uf}?`

/** Residents from which on the small totals of a region tell of nobody. */
const MANY_RESIDENTS = 100_000

export function paisOf(
  reference: Reference,
  rows: readonly CasosDoRetrato[],
  { ano, semanas }: { ano: number; semanas: number },
): LugarDaTabela {
  const byPlace = Map.groupBy(rows, ({ uf, codigo }) =>
    codigo === 0 ? chaveDesconhecida(uf) : String(codigo),
  )
  const leafOf = (chave: string, isLarge: boolean): LugarDaTabela => ({
    chave,
    isLarge,
    contagem: contagemOf(byPlace.get(chave) ?? [], semanas),
  })
  const municipiosOf = (municipios: readonly Municipio[], isLarge: boolean) =>
    withCases(municipios.map(({ codigo }) => leafOf(String(codigo), isLarge)))
  const estados = reference.territorios.estados.map(({ uf }) => {
    const all = reference.territorios.municipiosOf(uf)
    // A state of one municipality is what its parts are.
    const isAlone = all.length === 1
    const regioes = reference.territorios.regioesOf(uf).map(({ codigo }) => {
      const inside = reference.territorios.municipiosOfRegiao(codigo)
      const residents = reference.populacao.populationOfAll(inside, ano) ?? 0
      const isLarge = isAlone || residents > MANY_RESIDENTS
      return { chave: String(codigo), isLarge, partes: municipiosOf(inside, isAlone) }
    })
    const outside = all.filter(({ regiao }) => regiao === null)
    const unknown = leafOf(chaveDesconhecida(uf), false)
    const others = [...municipiosOf(outside, false), ...(hasCases(unknown) ? [unknown] : [])]
    return { chave: uf, isLarge: true, partes: [...withCases(regioes), ...others] }
  })
  const unknown = leafOf(chaveDesconhecida(''), false)
  const partes = [...withCases(estados), ...(hasCases(unknown) ? [unknown] : [])]
  return { chave: CHAVE_DO_PAIS, isLarge: true, partes }
}

/** Places with cases, and the first without: zeros that are hidden beside a small number are those of one place. */
function withCases(lugares: readonly LugarDaTabela[]): LugarDaTabela[] {
  const empty = lugares.find((lugar) => !hasCases(lugar))
  return lugares.filter((lugar) => lugar === empty || hasCases(lugar))
}

function hasCases({ contagem, partes = [] }: LugarDaTabela): boolean {
  if (contagem === undefined) return partes.some(hasCases)
  const { confirmados, inconclusivos, em_investigacao, descartados } = contagem
  return confirmados + inconclusivos + em_investigacao + descartados > 0
}

const GRUPOS = {
  confirmado: 'confirmados',
  descartado: 'descartados',
  inconclusivo: 'inconclusivos',
  em_investigacao: 'em_investigacao',
} as const

function contagemOf(rows: readonly CasosDoRetrato[], semanas: number): ContagemPublica {
  const counted = {
    semanas: new Array<number>(semanas).fill(0),
    piramide: new Array<number>(GRUPOS_DA_PIRAMIDE.length + 1).fill(0),
    ...{ confirmados: 0, descartados: 0, inconclusivos: 0, em_investigacao: 0 },
  }
  const add = (counts: number[], at: number, total: number) => {
    counts[at] = (counts[at] ?? 0) + total
  }
  for (const { grupo, semana, sexo, faixa, total } of rows) {
    counted[GRUPOS[grupo]] += total
    if (grupo === 'descartado') continue
    const at = GRUPOS_DA_PIRAMIDE.findIndex((one) => one.sexo === sexo && one.faixa === faixa)
    add(counted.semanas, semana, total)
    add(counted.piramide, at < 0 ? GRUPOS_DA_PIRAMIDE.length : at, total)
  }
  return counted
}
