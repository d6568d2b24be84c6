// Rows of files of SINAN with codes of the form in every column that a case keeps.
import { createRandom } from '../../../src/demo/random.ts'
import type { AgravoConhecido } from '../../../src/domain/casos/enumeracoes.ts'
import { SINAN_COLUMNS } from '../../../src/domain/importacao/layouts/columns.ts'
import { type Linha, sinan } from './importacoes-app.ts'

const CIDS: Record<AgravoConhecido, string> = { dengue: 'A90', chikungunya: 'A92.0', zika: 'A928' }

/** Rows with codes of the form in every column that a case keeps, some of them blank. */
export function randomRows(tipo: AgravoConhecido, seed: number, rows: number): Linha[] {
  const random = createRandom(seed)
  const one = <V>(values: readonly V[]) => values[random.below(values.length)] as V
  const classes = {
    dengue: ['5', '8', '10', '11', '12'],
    chikungunya: ['5', '8', '13'],
    zika: ['1', '2', '8'],
  }
  const isAnswered = () => random.below(3) > 0
  const cellOf = (nome: string): string => {
    const column = SINAN_COLUMNS[nome]
    switch (column?.reads) {
      case 'alarme':
      case 'item':
        return one(['1', '2', '9', ''])
      case 'code':
        return one([...column.codes.keys()].filter((code) => /^\d+$|^[mfi]$/.test(code))).toUpperCase()
      case 'classificacao':
        return one(classes[tipo])
      case 'gestante':
        return one(['1', '2', '3', '4', '5', '9'])
      case 'uf':
        return '26'
      case 'ibge':
      case 'municipio':
        return one(['261160', '260790', '260005'])
      case 'cnes':
        return one(['0000477', '2711591'])
      case 'pais':
        return one(['1', '45', '0'])
      case 'ocupacao':
        return one(['999991', '5151H1', 'XXX'])
      case 'cep':
        return '50761000'
      case 'text':
        return one(["D'ÁGUA", 'S. JOSÉ', '12 B'])
      case 'date':
        return one(['2024-04-22', '2024-04-25'])
      case 'date-soro-2':
        return '2024-04-26'
      case 'soro-2':
        return one(['1', '2', '3', '4'])
      default:
        return ''
    }
  }
  const KEYS = [
    'NU_NOTIFIC',
    'TP_NOT',
    'NDUPLIC_N',
    'ID_AGRAVO',
    'SEM_NOT',
    'SEM_PRI',
    'DT_NOTIFIC',
    'DT_SIN_PRI',
  ]
  // Columns of old forms, which no layout of today has, and what only the files of Online ask.
  const OLD = ['HEMA_MAIOR', 'HEMA_MENOR', 'PLAQ_MENOR', 'PETEQUIAS', 'LACO_N', 'NU_IDADE_N', 'DT_NASC']
  const asked = Object.keys(SINAN_COLUMNS).filter((nome) => !KEYS.includes(nome) && !OLD.includes(nome))
  const inNet = new Set(NET)
  const columns = tipo === 'zika' ? asked.filter((nome) => inNet.has(nome)) : asked
  return Array.from({ length: rows }, () =>
    sinan({
      ID_AGRAVO: CIDS[tipo],
      ...Object.fromEntries(columns.map((nome) => [nome, isAnswered() ? cellOf(nome) : ''])),
      ...(random.below(2) === 0
        ? { DT_NASC: '1987-06-05', NU_IDADE_N: '' }
        : { NU_IDADE_N: '4036', DT_NASC: '' }),
      CS_SEXO: 'F',
      SG_UF: '26',
      ID_MN_RESI: '261160',
    }),
  )
}

const NET = (
  'ID_UNIDADE DT_INVEST SG_UF_NOT ID_MUNICIP ID_REGIONA DT_DIGITA NM_PACIENT CS_SEXO CS_GESTANT CS_RACA CS_ESCOL_N ID_OCUPA_N ' +
  'NM_BAIRRO CS_ZONA NM_LOGRADO NU_NUMERO NU_CEP TPAUTOCTO COUFINF COMUNINF COPAISINF DOENCA_TRA CLASSI_FIN CRITERIO EVOLUCAO ' +
  'DT_OBITO DT_ENCERRA'
).split(' ')
