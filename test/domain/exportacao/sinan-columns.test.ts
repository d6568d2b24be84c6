import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadMunicipios } from '../../../src/brasil/municipios.ts'
import { CONHECIDAS, fixedAgravos } from '../../../src/domain/casos/agravos/registro.ts'
import type { AgravoConhecido } from '../../../src/domain/casos/enumeracoes.ts'
import { writeDbf } from '../../../src/domain/exportacao/sinan/dbf.ts'
import { layoutOf, sinanExport } from '../../../src/domain/exportacao/sinan/layout.ts'
import { SINAN_COLUMNS } from '../../../src/domain/importacao/layouts/columns.ts'
import { writerOf } from '../../../src/domain/importacao/layouts/writing.ts'

/** Columns of files of SINAN, beside those of real files and those that imports read. */

const municipios = await loadMunicipios()
const agravos = fixedAgravos(CONHECIDAS)
const words = (text: string): string[] => text.trim().split(/\s+/)

function columnsOf(tipo: AgravoConhecido, identificado: boolean) {
  const agravo = CONHECIDAS.get(tipo) ?? assert.fail()
  return sinanExport(
    agravo,
    { layout: layoutOf(tipo), identificado, curto: true },
    { municipios, agravos: { ...agravos, reload: async () => {} } },
  ).colunas
}
const namesOf = (tipo: AgravoConhecido, identificado: boolean) =>
  columnsOf(tipo, identificado).map(({ nome }) => nome)

/** Names, types and widths that the header of a DBF tells, and the length of its records. */
async function headerOf(tipo: AgravoConhecido) {
  async function* none() {}
  const content = { colunas: columnsOf(tipo, false), blocks: none(), total: 0, metadata: {} }
  const { value: header = assert.fail() } = await writeDbf(content).next()
  const fields: string[] = []
  for (let at = 32; header[at] !== 0x0d; at += 32) {
    const nome = header.toString('latin1', at, at + 11).split('\0')[0]
    fields.push(`${nome} ${header.toString('latin1', at + 11, at + 12)}${header[at + 16]}`)
  }
  return { fields, version: header[0], bytes: header.readUInt16LE(8), record: header.readUInt16LE(10) }
}

/** As DATASUS publishes dengue and chikungunya (`sinan_dengue_amostra_500.csv` of its open data, 2024). */
const PUBLIC_ONLINE = words(`
  TP_NOT ID_AGRAVO DT_NOTIFIC SEM_NOT NU_ANO SG_UF_NOT ID_MUNICIP ID_REGIONA ID_UNIDADE DT_SIN_PRI SEM_PRI ANO_NASC NU_IDADE_N CS_SEXO
  CS_GESTANT CS_RACA CS_ESCOL_N SG_UF ID_MN_RESI ID_RG_RESI ID_PAIS DT_INVEST ID_OCUPA_N FEBRE MIALGIA CEFALEIA EXANTEMA VOMITO NAUSEA
  DOR_COSTAS CONJUNTVIT ARTRITE ARTRALGIA PETEQUIA_N LEUCOPENIA LACO DOR_RETRO DIABETES HEMATOLOG HEPATOPAT RENAL HIPERTENSA ACIDO_PEPT
  AUTO_IMUNE DT_CHIK_S1 DT_CHIK_S2 DT_PRNT RES_CHIKS1 RES_CHIKS2 RESUL_PRNT DT_SORO RESUL_SORO DT_NS1 RESUL_NS1 DT_VIRAL RESUL_VI_N
  DT_PCR RESUL_PCR_ SOROTIPO HISTOPA_N IMUNOH_N HOSPITALIZ DT_INTERNA UF MUNICIPIO TPAUTOCTO COUFINF COPAISINF COMUNINF CLASSI_FIN
  CRITERIO DOENCA_TRA CLINC_CHIK EVOLUCAO DT_OBITO DT_ENCERRA ALRM_HIPOT ALRM_PLAQ ALRM_VOM ALRM_SANG ALRM_HEMAT ALRM_ABDOM ALRM_LETAR
  ALRM_HEPAT ALRM_LIQ DT_ALRM GRAV_PULSO GRAV_CONV GRAV_ENCH GRAV_INSUF GRAV_TAQUI GRAV_EXTRE GRAV_HIPOT GRAV_HEMAT GRAV_MELEN GRAV_METRO
  GRAV_SANG GRAV_AST GRAV_MIOC GRAV_CONSC GRAV_ORGAO DT_GRAV MANI_HEMOR EPISTAXE GENGIVO METRO PETEQUIAS HEMATURA SANGRAM LACO_N
  PLASMATICO EVIDENCIA PLAQ_MENOR CON_FHD COMPLICA TP_SISTEMA NDUPLIC_N DT_DIGITA CS_FLXRET FLXRECEBI MIGRADO_W`)

/** Of the header of ZIKABR21.dbc: name, type, width. */
const PUBLIC_NET = [
  ...[
    'TP_NOT C1',
    'ID_AGRAVO C4',
    'DT_NOTIFIC D8',
    'SEM_NOT C6',
    'NU_ANO C4',
    'SG_UF_NOT C2',
    'ID_MUNICIP C6',
  ],
  ...[
    'ID_REGIONA C8',
    'ID_UNIDADE C7',
    'DT_SIN_PRI D8',
    'SEM_PRI C6',
    'ANO_NASC C4',
    'NU_IDADE_N N4',
    'CS_SEXO C1',
  ],
  ...[
    'CS_GESTANT C1',
    'CS_RACA C1',
    'CS_ESCOL_N C2',
    'SG_UF C2',
    'ID_MN_RESI C6',
    'ID_RG_RESI C8',
    'ID_PAIS C4',
  ],
  ...[
    'NDUPLIC_N C1',
    'IN_VINCULA C1',
    'DT_INVEST D8',
    'ID_OCUPA_N C6',
    'CLASSI_FIN C2',
    'CRITERIO C2',
    'TPAUTOCTO C1',
  ],
  ...[
    'COUFINF C2',
    'COPAISINF C4',
    'COMUNINF C6',
    'DOENCA_TRA C1',
    'EVOLUCAO C1',
    'DT_OBITO D8',
    'DT_ENCERRA D8',
  ],
  ...['DT_DIGITA D8', 'TP_SISTEMA C1', 'TPUNINOT C2'],
]

/** As SINAN gives them to a municipality (open data of Recife). */
const MUNICIPAL: Record<AgravoConhecido, string[]> = {
  zika: words(`
    NU_NOTIFIC TP_NOT ID_AGRAVO CS_SUSPEIT DT_NOTIFIC SEM_NOT NU_ANO SG_UF_NOT ID_MUNICIP ID_REGIONA ID_UNIDADE DT_SIN_PRI SEM_PRI
    DT_NASC NU_IDADE_N CS_SEXO CS_GESTANT CS_RACA CS_ESCOL_N SG_UF ID_MN_RESI ID_RG_RESI ID_DISTRIT ID_BAIRRO NM_BAIRRO ID_LOGRADO
    NM_LOGRADO NU_CEP CS_ZONA ID_PAIS NDUPLIC_N IN_VINCULA DT_INVEST ID_OCUPA_N CLASSI_FIN CRITERIO TPAUTOCTO COUFINF COPAISINF
    COMUNINF CODISINF CO_BAINFC NOBAIINF DOENCA_TRA EVOLUCAO DT_OBITO DT_ENCERRA`),
  dengue: words(
    'NU_NOTIFIC DT_NASC ID_DISTRIT ID_BAIRRO NM_BAIRRO ID_LOGRADO NM_LOGRADO NU_CEP CS_ZONA HOSPITAL',
  ),
  chikungunya: words('DT_NASC ID_DISTRIT ID_BAIRRO ID_LOGRADO CODISINF CO_BAINF NOBAIINF'),
}

describe('A public file of SINAN', () => {
  for (const tipo of ['dengue', 'chikungunya'] as const)
    it(`of ${tipo} has the 121 columns of the published one, in their order`, () => {
      assert.equal(PUBLIC_ONLINE.length, 121)
      assert.deepEqual(namesOf(tipo, false), PUBLIC_ONLINE)
    })

  it('of Zika has the header of the published one: 38 columns with their types and widths, records of 156 bytes', async () => {
    const { fields, version, bytes, record } = await headerOf('zika')
    assert.equal(PUBLIC_NET.length, 38)
    assert.deepEqual(fields, PUBLIC_NET)
    assert.deepEqual([version, bytes, record], [0x03, 32 + 38 * 32 + 1, 156])
  })
})

describe('An identified file of SINAN', () => {
  for (const tipo of ['dengue', 'chikungunya', 'zika'] as const)
    it(`of ${tipo} has the columns of the published one in their order, and those of a municipality's`, () => {
      const names = namesOf(tipo, true)
      const published = namesOf(tipo, false)
      assert.deepEqual(
        names.filter((nome) => published.includes(nome)),
        published,
      )
      assert.deepEqual(
        MUNICIPAL[tipo].filter((nome) => !names.includes(nome)),
        [],
      )
    })

  it("of Zika has the columns of a municipality's in their order", () => {
    const names = namesOf('zika', true)
    assert.deepEqual(
      names.filter((nome) => MUNICIPAL.zika.includes(nome)),
      MUNICIPAL.zika,
    )
  })
})

/** Columns that imports read and no file of the disease has; a new one is written, or named here. */
const NOT_WRITTEN: Record<AgravoConhecido, string[]> = {
  // Of forms before 2014.
  dengue: ['HEMA_MAIOR', 'HEMA_MENOR'],
  chikungunya: ['HEMA_MAIOR', 'HEMA_MENOR'],
  // The form of SINAN Net asks none of them.
  zika: words(`
    FEBRE MIALGIA CEFALEIA EXANTEMA VOMITO NAUSEA DOR_COSTAS CONJUNTVIT ARTRITE ARTRALGIA PETEQUIA_N PETEQUIAS LEUCOPENIA LACO LACO_N
    DOR_RETRO DIABETES HEMATOLOG HEPATOPAT RENAL HIPERTENSA ACIDO_PEPT AUTO_IMUNE DT_CHIK_S1 RES_CHIKS1 RES_CHIKS2 DT_CHIK_S2 DT_SORO
    RESUL_SORO DT_PRNT RESUL_PRNT DT_NS1 RESUL_NS1 DT_VIRAL RESUL_VI_N DT_PCR RESUL_PCR_ SOROTIPO HISTOPA_N IMUNOH_N PLAQ_MENOR
    HEMA_MAIOR HEMA_MENOR HOSPITALIZ DT_INTERNA UF MUNICIPIO HOSPITAL CLINC_CHIK ALRM_HIPOT ALRM_PLAQ ALRM_VOM ALRM_SANG ALRM_HEMAT
    ALRM_ABDOM ALRM_LETAR ALRM_HEPAT ALRM_LIQ DT_ALRM GRAV_PULSO GRAV_CONV GRAV_ENCH GRAV_INSUF GRAV_TAQUI GRAV_EXTRE GRAV_HIPOT
    GRAV_HEMAT GRAV_MELEN GRAV_METRO GRAV_SANG GRAV_AST GRAV_MIOC GRAV_CONSC GRAV_ORGAO DT_GRAV`),
}

const MUNICIPAL_TABLES = 'ID_DISTRIT ID_BAIRRO ID_LOGRADO CODISINF NOBAIINF'
const OLD_FORM =
  'MANI_HEMOR EPISTAXE GENGIVO METRO PETEQUIAS HEMATURA SANGRAM LACO_N PLASMATICO EVIDENCIA CON_FHD COMPLICA'
const FLOWS = 'CS_FLXRET FLXRECEBI MIGRADO_W'
/** Columns without a value in any file of the disease. */
const BLANK: Record<AgravoConhecido, string[]> = {
  dengue: words(
    `${MUNICIPAL_TABLES} CO_BAINF DT_CHIK_S1 DT_CHIK_S2 RES_CHIKS1 RES_CHIKS2 CLINC_CHIK ${OLD_FORM} ${FLOWS}`,
  ),
  chikungunya: words(
    `${MUNICIPAL_TABLES} CO_BAINF DT_CHIK_S2 RES_CHIKS2 DT_SORO RESUL_SORO ${OLD_FORM} ${FLOWS}`,
  ),
  zika: words(`${MUNICIPAL_TABLES} CO_BAINFC CS_SUSPEIT IN_VINCULA TPUNINOT`),
}

for (const tipo of ['dengue', 'chikungunya', 'zika'] as const)
  describe(`A column of SINAN in files of ${tipo}`, () => {
    const written = new Set(namesOf(tipo, true))

    it('that is read is written, but for those of a list', () => {
      const read = Object.entries(SINAN_COLUMNS).filter(([, { reads }]) => reads !== 'nothing')
      assert.deepEqual(
        read.map(([nome]) => nome).filter((nome) => !written.has(nome)),
        NOT_WRITTEN[tipo],
      )
    })

    it('that is written has values, but for those of a list', () => {
      const context = { municipios, tipo, definicao: null }
      const blank = [...written].filter(
        (nome) => writerOf(nome, SINAN_COLUMNS[nome] ?? assert.fail(nome), context) === null,
      )
      assert.deepEqual(blank.toSorted(), BLANK[tipo].toSorted())
    })
  })
