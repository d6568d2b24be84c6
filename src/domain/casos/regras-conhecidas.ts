import { CRITERIOS, TIPOS_AGRAVO } from './enumeracoes.ts'
import { type RegrasDoAgravo, type RegrasDosAgravos, refuseDengueOnly } from './regras.ts'

/** Rules of the diseases that every installation has, without their definitions: for the console, which is to stay small. */
const rulesOf = (tipo: string): RegrasDoAgravo => ({
  versao: 1,
  criterios: new Set(CRITERIOS),
  classificacaoPadrao: null,
  classify() {},
  check({ campos }, refuse) {
    if (tipo !== 'dengue') refuseDengueOnly(campos, refuse)
  },
})

const CONHECIDAS = new Map(TIPOS_AGRAVO.map((tipo) => [tipo, rulesOf(tipo)]))

export const REGRAS_CONHECIDAS: RegrasDosAgravos = { rulesOf: (tipo) => CONHECIDAS.get(tipo) }
