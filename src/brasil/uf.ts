/** The 26 states and the Federal District. */
export const UFS = [
  'AC',
  'AL',
  'AM',
  'AP',
  'BA',
  'CE',
  'DF',
  'ES',
  'GO',
  'MA',
  'MG',
  'MS',
  'MT',
  'PA',
  'PB',
  'PE',
  'PI',
  'PR',
  'RJ',
  'RN',
  'RO',
  'RR',
  'RS',
  'SC',
  'SE',
  'SP',
  'TO',
] as const

export type Uf = (typeof UFS)[number]

export interface Estado {
  /** IBGE, two digits: the first two of its municipalities. */
  codigo: number
  uf: Uf
  nome: string
}

const estado = (codigo: number, uf: Uf, nome: string): Estado => ({ codigo, uf, nome })

/** In the order of their codes: by great region. */
export const ESTADOS_IBGE: readonly Estado[] = [
  estado(11, 'RO', 'Rondônia'),
  estado(12, 'AC', 'Acre'),
  estado(13, 'AM', 'Amazonas'),
  estado(14, 'RR', 'Roraima'),
  estado(15, 'PA', 'Pará'),
  estado(16, 'AP', 'Amapá'),
  estado(17, 'TO', 'Tocantins'),
  estado(21, 'MA', 'Maranhão'),
  estado(22, 'PI', 'Piauí'),
  estado(23, 'CE', 'Ceará'),
  estado(24, 'RN', 'Rio Grande do Norte'),
  estado(25, 'PB', 'Paraíba'),
  estado(26, 'PE', 'Pernambuco'),
  estado(27, 'AL', 'Alagoas'),
  estado(28, 'SE', 'Sergipe'),
  estado(29, 'BA', 'Bahia'),
  estado(31, 'MG', 'Minas Gerais'),
  estado(32, 'ES', 'Espírito Santo'),
  estado(33, 'RJ', 'Rio de Janeiro'),
  estado(35, 'SP', 'São Paulo'),
  estado(41, 'PR', 'Paraná'),
  estado(42, 'SC', 'Santa Catarina'),
  estado(43, 'RS', 'Rio Grande do Sul'),
  estado(50, 'MS', 'Mato Grosso do Sul'),
  estado(51, 'MT', 'Mato Grosso'),
  estado(52, 'GO', 'Goiás'),
  estado(53, 'DF', 'Distrito Federal'),
]

const UF_BY_CODE = new Map<number, Uf>(ESTADOS_IBGE.map(({ codigo, uf }) => [codigo, uf]))

/** State of a municipality by its code of seven digits. */
export const ufOfMunicipio = (codigo: number): Uf | null =>
  UF_BY_CODE.get(Math.floor(codigo / 100_000)) ?? null
