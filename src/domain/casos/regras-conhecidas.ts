import { CLASSIFICACOES, CRITERIOS, DENGUE_ONLY, EVOLUCOES, TIPOS_AGRAVO } from './enumeracoes.ts'
import type { RegrasDoAgravo, RegrasDosAgravos } from './regras.ts'

/** Rules of the diseases that every installation has, without their definitions: for the console, which is to stay small. */
const rulesOf = (tipo: string): RegrasDoAgravo => ({
  versao: 1,
  classificacoes: new Set(
    CLASSIFICACOES.filter((classe) => tipo === 'dengue' || !DENGUE_ONLY.includes(classe)),
  ),
  criterios: new Set(CRITERIOS),
  evolucoes: new Set(EVOLUCOES),
  classificacaoPadrao: null,
  classificacaoDe: new Map(),
  fora: [],
  checkProprios() {},
})

const CONHECIDAS = new Map(TIPOS_AGRAVO.map((tipo) => [tipo, rulesOf(tipo)]))

export const REGRAS_CONHECIDAS: RegrasDosAgravos = { rulesOf: (tipo) => CONHECIDAS.get(tipo) }
