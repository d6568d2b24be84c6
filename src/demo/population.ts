import type { Municipio, Municipios } from '../brasil/municipios.ts'
import type { Uf } from '../brasil/uf.ts'
import { createRandom, type Weighted, weighted } from './random.ts'

/** Population in thousands (census of 2022) and postal codes of each state. */

export type Regiao = 'norte' | 'nordeste' | 'sudeste' | 'sul' | 'centro_oeste'

export interface Estado {
  regiao: Regiao
  populacao: number
  /** First five digits, from and to. */
  cep: [number, number]
  /** The largest places; the first is the capital. */
  cidades: Record<string, number>
}

export const ESTADOS: Record<Uf, Estado> = {
  AC: { regiao: 'norte', populacao: 830, cep: [69900, 69999], cidades: { 'Rio Branco': 365 } },
  AL: { regiao: 'nordeste', populacao: 3_128, cep: [57000, 57999], cidades: { Maceió: 958, Arapiraca: 235 } },
  AM: { regiao: 'norte', populacao: 3_942, cep: [69000, 69299], cidades: { Manaus: 2_064 } },
  AP: { regiao: 'norte', populacao: 734, cep: [68900, 68999], cidades: { Macapá: 443, Santana: 108 } },
  BA: {
    regiao: 'nordeste',
    populacao: 14_142,
    cep: [40000, 48999],
    cidades: { Salvador: 2_418, 'Feira de Santana': 616, 'Vitória da Conquista': 371, Camaçari: 300 },
  },
  CE: {
    regiao: 'nordeste',
    populacao: 8_795,
    cep: [60000, 63999],
    cidades: { Fortaleza: 2_429, Caucaia: 356, 'Juazeiro do Norte': 286, Sobral: 203 },
  },
  DF: { regiao: 'centro_oeste', populacao: 2_817, cep: [70000, 72799], cidades: { Brasília: 2_817 } },
  ES: {
    regiao: 'sudeste',
    populacao: 3_834,
    cep: [29000, 29999],
    cidades: { Vitória: 323, Serra: 521, 'Vila Velha': 468, Cariacica: 353 },
  },
  GO: {
    regiao: 'centro_oeste',
    populacao: 7_056,
    cep: [72800, 76799],
    cidades: { Goiânia: 1_437, 'Aparecida de Goiânia': 528, Anápolis: 399 },
  },
  MA: {
    regiao: 'nordeste',
    populacao: 6_775,
    cep: [65000, 65999],
    cidades: { 'São Luís': 1_038, Imperatriz: 273 },
  },
  MG: {
    regiao: 'sudeste',
    populacao: 20_539,
    cep: [30000, 39999],
    cidades: {
      'Belo Horizonte': 2_316,
      Uberlândia: 713,
      Contagem: 622,
      'Juiz de Fora': 541,
      'Montes Claros': 414,
      Betim: 412,
      Uberaba: 338,
    },
  },
  MS: {
    regiao: 'centro_oeste',
    populacao: 2_757,
    cep: [79000, 79999],
    cidades: { 'Campo Grande': 898, Dourados: 243 },
  },
  MT: {
    regiao: 'centro_oeste',
    populacao: 3_659,
    cep: [78000, 78899],
    cidades: { Cuiabá: 651, 'Várzea Grande': 300, Rondonópolis: 245 },
  },
  PA: {
    regiao: 'norte',
    populacao: 8_120,
    cep: [66000, 68899],
    cidades: { Belém: 1_303, Ananindeua: 479, Santarém: 332, Marabá: 267 },
  },
  PB: {
    regiao: 'nordeste',
    populacao: 3_975,
    cep: [58000, 58999],
    cidades: { 'João Pessoa': 834, 'Campina Grande': 420 },
  },
  PE: {
    regiao: 'nordeste',
    populacao: 9_059,
    cep: [50000, 56999],
    cidades: {
      Recife: 1_489,
      'Jaboatão dos Guararapes': 644,
      Petrolina: 387,
      Caruaru: 378,
      Olinda: 350,
      Paulista: 342,
    },
  },
  PI: {
    regiao: 'nordeste',
    populacao: 3_271,
    cep: [64000, 64999],
    cidades: { Teresina: 866, Parnaíba: 162 },
  },
  PR: {
    regiao: 'sul',
    populacao: 11_444,
    cep: [80000, 87999],
    cidades: { Curitiba: 1_774, Londrina: 556, Maringá: 410, 'Ponta Grossa': 358, Cascavel: 348 },
  },
  RJ: {
    regiao: 'sudeste',
    populacao: 16_055,
    cep: [20000, 28999],
    cidades: {
      'Rio de Janeiro': 6_211,
      'São Gonçalo': 897,
      'Duque de Caxias': 808,
      'Nova Iguaçu': 786,
      'Campos dos Goytacazes': 484,
      'Belford Roxo': 483,
      Niterói: 482,
    },
  },
  RN: { regiao: 'nordeste', populacao: 3_303, cep: [59000, 59999], cidades: { Natal: 751, Mossoró: 265 } },
  RO: { regiao: 'norte', populacao: 1_581, cep: [76800, 76999], cidades: { 'Porto Velho': 461 } },
  RR: { regiao: 'norte', populacao: 637, cep: [69300, 69399], cidades: { 'Boa Vista': 413 } },
  RS: {
    regiao: 'sul',
    populacao: 10_883,
    cep: [90000, 99999],
    cidades: { 'Porto Alegre': 1_333, 'Caxias do Sul': 463, Canoas: 348, Pelotas: 326 },
  },
  SC: {
    regiao: 'sul',
    populacao: 7_610,
    cep: [88000, 89999],
    cidades: { Florianópolis: 537, Joinville: 616, Blumenau: 361 },
  },
  SE: { regiao: 'nordeste', populacao: 2_210, cep: [49000, 49999], cidades: { Aracaju: 603 } },
  SP: {
    regiao: 'sudeste',
    populacao: 44_411,
    cep: [1000, 19999],
    cidades: {
      'São Paulo': 11_452,
      Guarulhos: 1_292,
      Campinas: 1_139,
      'São Bernardo do Campo': 811,
      'Santo André': 749,
      Osasco: 744,
      Sorocaba: 724,
      'Ribeirão Preto': 699,
      'São José dos Campos': 697,
      'São José do Rio Preto': 480,
    },
  },
  TO: { regiao: 'norte', populacao: 1_511, cep: [77000, 77999], cidades: { Palmas: 303, Araguaína: 171 } },
}

export interface Place extends Municipio {
  /** First postal sector (five digits) and number of sectors. */
  sector: number
  sectors: number
}

export interface Places {
  ofState: Map<Uf, Weighted<Place>>
  byCodigo: Map<number, Place>
}

/**
 * Municipalities of each state, weighted by population. Of the smaller ones only the sum is known; it is distributed
 * log-normally, the same for every seed.
 */
export function placesOf(municipios: Municipios): Places {
  const ofState = new Map<Uf, Weighted<Place>>()
  const byCodigo = new Map<number, Place>()
  for (const [uf, estado] of Object.entries(ESTADOS) as [Uf, Estado][]) {
    const all = municipios.all.filter((one) => one.uf === uf)
    const inhabitants = inhabitantsOf(all, estado)
    const [from, to] = estado.cep
    const places = all.map((one, i) => {
      const sectors = Math.max(1, Math.min(to - from, Math.round((inhabitants[i] as number) / 15)))
      const sector = from + ((Math.imul(one.codigo, 2_654_435_761) >>> 0) % (to - from + 1 - sectors + 1))
      return { ...one, sector, sectors }
    })
    for (const place of places) byCodigo.set(place.codigo, place)
    ofState.set(uf, weighted(places, inhabitants))
  }
  return { ofState, byCodigo }
}

function inhabitantsOf(all: Municipio[], { populacao, cidades }: Estado): number[] {
  const shapes = all.map(({ codigo, nome }) =>
    nome in cidades ? 0 : Math.exp(0.9 * createRandom(codigo).normal()),
  )
  const shaped = shapes.reduce((sum, shape) => sum + shape, 0)
  const known = Object.values(cidades).reduce((sum, one) => sum + one, 0)
  return all.map(({ nome }, i) => cidades[nome] ?? ((populacao - known) * (shapes[i] as number)) / shaped)
}
