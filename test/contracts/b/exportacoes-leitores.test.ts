import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import { explode, stream } from 'node-pkware'
import { ESTADOS_IBGE } from '../../../src/brasil/uf.ts'
import type { AgravoConhecido } from '../../../src/domain/casos/enumeracoes.ts'
import { readTable } from '../../domain/importacao/formats/files.ts'
import { exportacoesApp } from './exportacoes-app.ts'
import { csv } from './importacoes-app.ts'
import { LEITORES } from './leitores-de-dbf.ts'
import { randomRows } from './sinan-arbitrario.ts'

/** Programs that read files of SINAN, and what each asks of one: names of columns and codes, told in tables of our own. */

const app = await exportacoesApp()
const { t, gestor } = app
after(() => t.close())

const words = (text: string): string[] => text.trim().split(/\s+/)

/**
 * InfoDengue: `ingestion/sinan_specs.py` of AlertaDengue/AlertaDengue, commit be93bf6e, read in November 2026. It refuses a file without one of
 * the first and takes the others where they are; Zika's form has no examinations.
 */
const INFODENGUE = {
  demanded: words(
    'ID_MUNICIP ID_AGRAVO DT_SIN_PRI DT_NOTIFIC DT_DIGITA DT_NASC NU_ANO NU_IDADE_N NU_NOTIFIC SEM_NOT SEM_PRI CS_SEXO',
  ),
  everywhere: words('CRITERIO CLASSI_FIN ID_DISTRIT ID_BAIRRO NM_BAIRRO ID_UNIDADE'),
  examinations: words(`
    RESUL_PCR_ DT_CHIK_S1 DT_CHIK_S2 DT_PRNT RES_CHIKS1 RES_CHIKS2 RESUL_PRNT DT_SORO RESUL_SORO DT_NS1 RESUL_NS1
    DT_VIRAL RESUL_VI_N DT_PCR SOROTIPO`),
}

const UFS = ['0', '99', ...ESTADOS_IBGE.map(({ codigo }) => String(codigo))]
const ofAll = (names: string, codes: string): [string, string[]][] =>
  words(names).map((nome) => [nome, words(codes)])
/**
 * microdatasus: the codes that `process_sinan_dengue`, `_chikungunya` and `_zika` of rfsaldanha/microdatasus 2.2.0 label
 * (`R/process_sinan_*.R`, read in November 2026); they leave others as they are.
 */
const BOTH: [string, string[]][] = [
  ...ofAll('TP_NOT', '1 2 3 4'),
  ...words('SG_UF_NOT SG_UF COUFINF').map((nome): [string, string[]] => [nome, UFS]),
  ...ofAll('CS_SEXO', 'M F I'),
  ...ofAll('CS_GESTANT', '1 2 3 4 5 6 9'),
  ...ofAll('CS_RACA', '1 2 3 4 5 9'),
  // DATASUS writes two digits, which they do not label, and 00 for no schooling, which they do not know.
  ...ofAll('CS_ESCOL_N', '00 01 02 03 04 05 06 07 08 09 10'),
  ...ofAll('CRITERIO TPAUTOCTO', '1 2 3'),
  ...ofAll('DOENCA_TRA', '1 2 9'),
  ...ofAll('EVOLUCAO', '1 2 3 4 9'),
  ...ofAll('CS_FLXRET', '0 1 2'),
]
const ONLINE: [string, string[]][] = [
  ...BOTH,
  ...ofAll(
    'FEBRE MIALGIA CEFALEIA EXANTEMA VOMITO NAUSEA DOR_COSTAS CONJUNTVIT ARTRITE ARTRALGIA PETEQUIA_N LEUCOPENIA LACO DOR_RETRO',
    '1 2',
  ),
  ...ofAll('DIABETES HEMATOLOG HEPATOPAT RENAL HIPERTENSA ACIDO_PEPT AUTO_IMUNE CLINC_CHIK', '1 2'),
  ...ofAll('RES_CHIKS1 RES_CHIKS2 RESUL_PRNT RESUL_SORO RESUL_NS1 RESUL_VI_N RESUL_PCR_', '1 2 3 4'),
  ...ofAll('SOROTIPO HISTOPA_N IMUNOH_N CON_FHD', '1 2 3 4'),
  ...ofAll(
    'HOSPITALIZ MANI_HEMOR EPISTAXE GENGIVO METRO PETEQUIAS HEMATURA SANGRAM LACO_N PLASMATICO',
    '1 2 9',
  ),
  ['UF', UFS],
  ...ofAll('CLASSI_FIN', '1 2 3 4 5 8 10 11 12 13'),
  ...ofAll(
    'ALRM_HIPOT ALRM_PLAQ ALRM_VOM ALRM_SANG ALRM_HEMAT ALRM_ABDOM ALRM_LETAR ALRM_HEPAT ALRM_LIQ GRAV_PULSO GRAV_CONV GRAV_ENCH',
    '1 2',
  ),
  ...ofAll(
    'GRAV_INSUF GRAV_TAQUI GRAV_EXTRE GRAV_HIPOT GRAV_HEMAT GRAV_MELEN GRAV_METRO GRAV_SANG GRAV_AST GRAV_MIOC GRAV_CONSC GRAV_ORGAO',
    '1 2',
  ),
  ...ofAll('EVIDENCIA', '1 2 3'),
  ...ofAll('COMPLICA', '1 2 3 4 5 6 7 8'),
  ...ofAll('NDUPLIC_N', '0 1 2'),
]
const DATES = words('DT_NOTIFIC DT_OBITO DT_ENCERRA')
const ONLINE_DATES = words(
  'DT_CHIK_S1 DT_CHIK_S2 DT_PRNT DT_SORO DT_NS1 DT_VIRAL DT_PCR DT_INTERNA DT_ALRM DT_GRAV',
)
const JOINED = words('ID_PAIS ID_OCUPA_N COPAISINF')

const MICRODATASUS: Record<AgravoConhecido, { codes: [string, string[]][]; others: string[] }> = {
  dengue: { codes: ONLINE, others: [...DATES, ...ONLINE_DATES, ...JOINED, 'NU_IDADE_N', 'MUNICIPIO'] },
  chikungunya: { codes: ONLINE, others: [...DATES, ...ONLINE_DATES, ...JOINED, 'NU_IDADE_N', 'MUNICIPIO'] },
  // Net has no mark of the flow back.
  zika: {
    codes: [...BOTH.filter(([nome]) => nome !== 'CS_FLXRET'), ...ofAll('CLASSI_FIN', '1 2 8')],
    others: [...DATES, ...JOINED, 'NU_IDADE_N'],
  },
}

/** Classes of our summary by the code of the class in the file. */
const CONFIRMED: Record<AgravoConhecido, string[]> = {
  dengue: ['10', '11', '12'],
  chikungunya: ['13'],
  zika: ['1'],
}
const DISCARDED: Record<AgravoConhecido, string> = { dengue: '5', chikungunya: '5', zika: '2' }

async function tableOf(tipo: AgravoConhecido, identificado: boolean) {
  const body = { formato: 'dbf', identificado, filtros: { tipo_agravo: tipo } }
  const { header, values } = await readTable(await app.fileOf(body, gestor), 'dbf')
  return { header, cells: (nome: string) => values.map((row) => row[header.indexOf(nome)] ?? '') }
}

/** Rows of the file of all cases as text, read by a program of others. */
async function csvRows(tipo: AgravoConhecido): Promise<Record<string, string>[]> {
  const body = { formato: 'csv_sinan', identificado: true, filtros: { tipo_agravo: tipo } }
  return parse((await app.fileOf(body, gestor)).toString('latin1'), { delimiter: ';', columns: true })
}

/** The DBF in a DBC, expanded by the library that compressed it; ours reads by a decoder of its own. */
async function expanded(dbc: Buffer): Promise<Buffer> {
  const header = dbc.subarray(0, dbc.readUInt16LE(8))
  const records = Readable.from(dbc.subarray(header.length + 4), { objectMode: false })
  return Buffer.concat([header, await buffer(records.pipe(stream.through(explode())))])
}

const CASES = 200
for (const tipo of ['dengue', 'chikungunya', 'zika'] as const)
  describe(`A file of ${tipo} in the layout of SINAN`, () => {
    before(async () => {
      const [first = {}, ...others] = randomRows(tipo, 760, CASES)
      const unknown = { ...first, DT_NASC: '', NU_IDADE_N: '' }
      const { importados } = await app.importar(csv(unknown, ...others), { by: gestor })
      assert.equal(importados, CASES)
    })

    it('has every column of InfoDengue, the demanded ones with values', async () => {
      const { demanded, everywhere, examinations } = INFODENGUE
      const { header, cells } = await tableOf(tipo, true)
      const asked = [...demanded, ...everywhere, ...(tipo === 'zika' ? [] : examinations)]
      assert.deepEqual(
        asked.filter((nome) => !header.includes(nome)),
        [],
      )
      const filled = [
        'ID_AGRAVO',
        'DT_NOTIFIC',
        'DT_SIN_PRI',
        'NU_ANO',
        'NU_NOTIFIC',
        'SEM_NOT',
        'SEM_PRI',
        'CS_SEXO',
      ]
      for (const nome of filled) assert.ok(!cells(nome).includes(''), nome)
      for (const nome of ['ID_MUNICIP', 'DT_NASC', 'NU_IDADE_N', 'DT_DIGITA'])
        assert.ok(cells(nome).some(Boolean), nome)
    })

    for (const identificado of [false, true])
      it(`has every column of microdatasus with codes that it knows, ${identificado ? 'with' : 'without'} names`, async () => {
        const { codes, others } = MICRODATASUS[tipo]
        const { header, cells } = await tableOf(tipo, identificado)
        assert.deepEqual(
          [...codes.map(([nome]) => nome), ...others].filter((nome) => !header.includes(nome)),
          [],
        )
        for (const [nome, known] of codes)
          assert.deepEqual(
            [...new Set(cells(nome))].filter((code) => code !== '' && !known.includes(code)),
            [],
            nome,
          )
      })

    for (const { nome, missing, read } of LEITORES)
      it(`is read by ${nome}: rows, dates, blanks, accents and classes`, { skip: missing }, async () => {
        const body = { formato: 'dbf', identificado: true, filtros: { tipo_agravo: tipo } }
        const rows = await read(await app.fileOf(body, gestor))
        assert.deepEqual(rows, await csvRows(tipo))
        const cells = (coluna: string) => rows.map((row) => row[coluna] ?? '')
        assert.equal(rows.length, CASES)
        assert.ok(cells('NM_BAIRRO').includes('S. JOSÉ') && cells('NM_BAIRRO').includes("D'ÁGUA"))
        for (const coluna of ['DT_NOTIFIC', 'DT_INVEST'])
          assert.ok(cells(coluna).some((cell) => /^\d{4}-\d\d-\d\d$/.test(cell)))
        for (const coluna of ['DT_INVEST', 'NU_IDADE_N', 'NM_BAIRRO']) assert.ok(cells(coluna).includes(''))
        await hasClassesOfSummary(cells('CLASSI_FIN'))
      })

    it('as DBC has the bytes of the DBF, expanded by another decoder', async () => {
      const body = { identificado: true, filtros: { tipo_agravo: tipo } }
      const [dbf, dbc] = [
        await app.fileOf({ ...body, formato: 'dbf' }, gestor),
        await app.fileOf({ ...body, formato: 'dbc' }, gestor),
      ]
      assert.ok(dbc.length < dbf.length)
      assert.ok((await expanded(dbc)).equals(dbf))
    })

    it('without a case has its columns and no row, as DBF and as DBC', async () => {
      const body = { filtros: { tipo_agravo: tipo, id: 999_999 } }
      const dbf = await app.fileOf({ ...body, formato: 'dbf' }, gestor)
      const dbc = await app.fileOf({ ...body, formato: 'dbc' }, gestor)
      assert.ok((await expanded(dbc)).equals(dbf))
      for (const [file, formato] of [
        [dbf, 'dbf'],
        [dbc, 'dbc'],
      ] as const) {
        const { header, values } = await readTable(file, formato)
        assert.deepEqual([header.length, values], [tipo === 'zika' ? 38 : 121, []])
      }
      for (const { missing, read } of LEITORES) if (missing === false) assert.deepEqual(await read(dbf), [])
    })

    it('has the counts by class of the summary', async () => {
      const { cells } = await tableOf(tipo, false)
      await hasClassesOfSummary(cells('CLASSI_FIN'))
    })

    async function hasClassesOfSummary(codes: string[]): Promise<void> {
      const count = (...wanted: string[]) => codes.filter((code) => wanted.includes(code)).length
      const { body } = await t.as(gestor).get(`/agravos/casos/estatisticas/resumo?tipo_agravo=${tipo}`)
      assert.deepEqual(
        {
          confirmado: count(...CONFIRMED[tipo]),
          descartado: count(DISCARDED[tipo]),
          inconclusivo: count('8'),
          em_investigacao: count(''),
        },
        body.por_classificacao,
      )
      assert.equal(body.total, CASES)
      assert.ok(body.por_classificacao.confirmado > 0)
    }
  })
