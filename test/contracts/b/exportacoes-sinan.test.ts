import assert from 'node:assert/strict'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import { DBFFile } from 'dbffile'
import { sql } from '../../../src/db/sql.ts'
import type { AgravoConhecido } from '../../../src/domain/casos/enumeracoes.ts'
import { readTable } from '../../domain/importacao/formats/files.ts'
import { problems } from '../refusals.ts'
import { exportacoesApp } from './exportacoes-app.ts'
import { csv, linha, sinan } from './importacoes-app.ts'
import { randomRows } from './sinan-arbitrario.ts'

/** Exports in SINAN's own layout: the table of columns that imports read, read backwards. */

const app = await exportacoesApp()
const { t, gestor } = app
after(() => t.close())
const { pool } = t.database
const removeAll = async () => {
  await pool.run(sql`delete from casos`)
  await pool.run(sql`delete from importacoes`)
}
beforeEach(removeAll)

const exported = (tipo: AgravoConhecido, formato: string, more: object = {}) =>
  app.fileOf({ formato, identificado: true, filtros: { tipo_agravo: tipo }, ...more }, gestor)

describe('An identified export in the layout of SINAN', () => {
  for (const [tipo, formato] of [
    ['dengue', 'dbf'],
    ['chikungunya', 'csv_sinan'],
    ['zika', 'dbc'],
  ] as const)
    it(`of ${tipo} as ${formato} comes back as the same cases, field by field`, async () => {
      await app.importar(csv(...randomRows(tipo, 26, 30)), { by: gestor })
      const before = await app.contents()
      const file = await exported(tipo, formato)
      await removeAll()
      const { importados, erros } = await app.importar(file, {
        formato: formato === 'csv_sinan' ? 'csv' : formato,
        by: gestor,
      })
      assert.deepEqual([importados, erros], [30, 0])
      assert.deepEqual(await app.contents(), before)
    })

  it('writes what SINAN writes: six digits of a municipality, numbers of states, weeks, years, sex and trimester', async () => {
    await app.importar(
      csv(
        sinan({
          NU_NOTIFIC: '7086061',
          SG_UF_NOT: '26',
          ID_MUNICIP: '260790',
          NM_PACIENT: 'José Conceição',
          DT_NASC: '1987-06-05',
          CS_SEXO: 'F',
          CS_GESTANT: '2',
          CS_ESCOL_N: '9',
          DIABETES: '1',
          LACO: '',
        }),
      ),
      { by: gestor },
    )
    const { header, values } = await readTable(await exported('dengue', 'dbf'), 'dbf')
    const row = Object.fromEntries(header.map((nome, i) => [nome, values[0]?.[i]]))
    const told = {
      ...{ NU_NOTIFIC: '7086061', TP_NOT: '2', ID_AGRAVO: 'A90', DT_NOTIFIC: '20240425', SEM_NOT: '202417' },
      ...{
        NU_ANO: '2024',
        SG_UF_NOT: '26',
        ID_MUNICIP: '260790',
        SEM_PRI: '202417',
        NM_PACIENT: 'José Conceição',
      },
      ...{
        DT_NASC: '19870605',
        ANO_NASC: '1987',
        NU_IDADE_N: '4036',
        CS_GESTANT: '2',
        CS_ESCOL_N: '09',
        SG_UF: '26',
      },
      ...{
        ID_MN_RESI: '261160',
        ID_RG_RESI: '26010',
        ID_PAIS: '1',
        DIABETES: '1',
        RENAL: '2',
        LACO: '',
        TP_SISTEMA: '2',
      },
    }
    assert.deepEqual(Object.fromEntries(Object.keys(told).map((nome) => [nome, row[nome]])), told)
  })

  it('denies comorbidities where the form of SINAN was answered, and says nothing where it was not', async () => {
    const COMORBIDADES = [
      'DIABETES',
      'HEMATOLOG',
      'HEPATOPAT',
      'RENAL',
      'HIPERTENSA',
      'ACIDO_PEPT',
      'AUTO_IMUNE',
    ]
    const denied = Object.fromEntries(COMORBIDADES.map((nome) => [nome, '2']))
    await app.importar(
      csv(
        sinan({ NU_NOTIFIC: '7000001', FEBRE: '1', ...denied }),
        sinan({ NU_NOTIFIC: '7000002', FEBRE: '2', ...denied }),
        sinan({ NU_NOTIFIC: '7000003', FEBRE: '2', ...denied, RENAL: '1' }),
        sinan({ NU_NOTIFIC: '7000004', FEBRE: '' }),
      ),
      { by: gestor },
    )
    const typed = { ...linha({ numero_notificacao: '7000005' }), dados_especificos: { febre: true } }
    assert.equal((await t.as(gestor).post('/agravos/casos', typed)).status, 201)
    const { header, values } = await readTable(await exported('dengue', 'dbf'), 'dbf')
    const told = (row: string[]) => COMORBIDADES.map((nome) => row[header.indexOf(nome)]).join('')
    const byNumber = values.map((row) => [row[header.indexOf('NU_NOTIFIC')], told(row)])
    assert.deepEqual(Object.fromEntries(byNumber), {
      7000001: '2222222',
      7000002: '2222222',
      7000003: '2221222',
      7000004: '',
      7000005: '',
    })
  })

  it('has "does not apply" for girls under ten, and for an unknown country what each system writes', async () => {
    await app.importar(
      csv(
        sinan({ NU_NOTIFIC: '7000001', CS_SEXO: 'F', CS_GESTANT: '6', NU_IDADE_N: '4009' }),
        sinan({ NU_NOTIFIC: '7000002', CS_SEXO: 'F', CS_GESTANT: '5', NU_IDADE_N: '4010' }),
        sinan({ NU_NOTIFIC: '7000003', CS_SEXO: 'M', CS_GESTANT: '6', NU_IDADE_N: '4030' }),
        sinan({ NU_NOTIFIC: '7000004', ID_AGRAVO: 'A928', COPAISINF: '0' }),
        sinan({ NU_NOTIFIC: '7000005', ID_AGRAVO: 'A92.0' }),
      ),
      { by: gestor },
    )
    const told = async (tipo: AgravoConhecido, ...nomes: string[]) => {
      const { header, values } = await readTable(await exported(tipo, 'dbf'), 'dbf')
      const cells = values.map((row) => ['NU_NOTIFIC', ...nomes].map((nome) => row[header.indexOf(nome)]))
      return cells.toSorted()
    }
    assert.deepEqual(await told('dengue', 'CS_GESTANT', 'COPAISINF'), [
      ['7000001', '6', ''],
      ['7000002', '5', ''],
      ['7000003', '6', ''],
    ])
    assert.deepEqual(await told('zika', 'ID_AGRAVO', 'COPAISINF'), [['7000004', 'A928', '0']])
    assert.deepEqual(await told('chikungunya', 'ID_AGRAVO'), [['7000005', 'A92.0']])
  })

  for (const formato of ['dbf', 'dbc', 'csv_sinan'])
    it(`gives letters without a place in Latin-1 by their base letter, as ${formato}`, async () => {
      await app.importar(csv(sinan({ NM_PACIENT: 'Łukasz Nguyễn D’Ávila “日”' })), { by: gestor })
      const file = await exported('dengue', formato)
      const { header, values } = await readTable(file, formato === 'csv_sinan' ? 'csv' : (formato as 'dbf'))
      assert.equal(values[0]?.[header.indexOf('NM_PACIENT')], `Lukasz Nguyen D'Ávila "?"`)
    })

  it('as csv_sinan is Latin-1 without a mark, and no cell of it is a formula', async () => {
    const formula = '=HYPERLINK(“x”)'
    await app.importar(
      csv(sinan({ NM_BAIRRO: formula, NM_PACIENT: 'José Conceição', NM_LOGRADO: '＠soma' })),
      {
        by: gestor,
      },
    )
    const file = await exported('dengue', 'csv_sinan')
    assert.equal(file.subarray(0, 10).toString('latin1'), 'NU_NOTIFIC')
    assert.ok(file.includes(Buffer.from('José Conceição', 'latin1')))
    const text = file.toString('latin1')
    assert.ok(text.includes(`;"'=HYPERLINK(""x"")";`) && text.includes(";'@soma;"))
    const { header, values } = await readTable(file)
    assert.equal(values[0]?.[header.indexOf('NM_BAIRRO')], '=HYPERLINK("x")')
  })

  it('fails where the counters do not tell the number of its cases, and leaves no file', async () => {
    await app.importar(csv(sinan(), sinan()), { by: gestor })
    const more = (count: number) =>
      pool.run(sql`update casos_contagens set total = total + ${count}::integer where tipo_agravo = 'dengue'`)
    await more(1)
    const { body } = await app.ask({ formato: 'dbf', filtros: { tipo_agravo: 'dengue' } }, gestor)
    await t.jobWorker.runAll()
    await more(-1)
    const job = await app.job(body.job_id, gestor)
    assert.deepEqual([job.status, job.codigo], ['failed', 'TOTAL_DIFFERS'])
    assert.equal((await t.as(gestor).get(`/jobs/${body.job_id}/arquivo`)).status, 409)
    await exported('dengue', 'dbf')
  })
})

describe('An export without names in the layout of SINAN', () => {
  it('has the 121 columns of the published files, none of which names a patient', async () => {
    await app.importar(
      csv(sinan({ NM_PACIENT: 'Joana Planta', DT_NASC: '1987-06-05', NM_BAIRRO: 'Ibura' })),
      {
        by: gestor,
      },
    )
    const file = await exported('dengue', 'dbf', { identificado: false })
    const { header, values } = await readTable(file, 'dbf')
    assert.equal(header.length, 121)
    for (const nome of ['NU_NOTIFIC', 'NM_PACIENT', 'DT_NASC', 'NM_BAIRRO', 'NU_CEP'])
      assert.ok(!header.includes(nome), nome)
    assert.equal(values[0]?.[header.indexOf('ANO_NASC')], '')
    assert.doesNotMatch(file.toString('latin1'), /Planta|1987|Ibura/)
  })

  it('of Zika has the 38 columns of SINAN Net', async () => {
    const { header } = await readTable(await exported('zika', 'csv_sinan', { identificado: false }))
    assert.equal(header.length, 38)
  })

  it('as DBF is read by another program, with its dates, numbers and blanks', async () => {
    await app.importar(csv(sinan({ NU_IDADE_N: '4020', DT_INVEST: '' }), sinan({ ID_AGRAVO: 'A928' })), {
      by: gestor,
    })
    await using folder = await mkdtempDisposable(join(tmpdir(), 'vigia-dbf-'))
    const path = join(folder.path, 'casos.dbf')
    await writeFile(path, await exported('dengue', 'dbf', { identificado: false }))
    const dbf = await DBFFile.open(path, { encoding: 'latin1' })
    const [row = {}] = await dbf.readRecords()
    assert.deepEqual([dbf.recordCount, dbf.fields.length], [1, 121])
    assert.deepEqual(
      [row.ID_AGRAVO, row.NU_IDADE_N, (row.DT_NOTIFIC as Date).toISOString().slice(0, 10), row.DT_INVEST],
      ['A90', 4020, '2024-04-25', null],
    )
  })
})

describe('POST /agravos/casos/exportar in the layout of SINAN', () => {
  const refused = async (body: object) => {
    const { status, body: answer } = await app.ask(body, gestor)
    assert.equal(status, 422, JSON.stringify(answer))
    return problems(answer.error.details)
  }
  const filtros = { tipo_agravo: 'dengue' }

  it('answers 422 without exactly one disease, and where layout, columns or compression do not fit', async () => {
    const before = await app.jobs()
    assert.deepEqual(await refused({ formato: 'dbf' }), ['filtros.tipo_agravo REQUIRED'])
    assert.deepEqual(await refused({ formato: 'dbf', filtros: { 'tipo_agravo[in]': 'dengue,zika' } }), [
      'filtros.tipo_agravo REQUIRED',
    ])
    assert.deepEqual(await refused({ formato: 'dbf', filtros, layout: 'sinan_net' }), ['layout INCONSISTENT'])
    assert.deepEqual(await refused({ formato: 'csv', filtros, layout: 'sinan_online' }), [
      'layout INCONSISTENT',
    ])
    assert.deepEqual(await refused({ formato: 'dbf', filtros, campos: ['id'] }), ['campos INCONSISTENT'])
    assert.deepEqual(await refused({ formato: 'dbf', filtros, compactacao: 'gzip' }), [
      'compactacao INCONSISTENT',
    ])
    assert.deepEqual(await refused({ formato: 'sinan', filtros }), ['formato INVALID_VALUE'])
    assert.deepEqual(await app.jobs(), before)
  })

  it('takes the layout that the disease has, told or not', async () => {
    await app.run({ formato: 'dbf', filtros, layout: 'sinan_online' }, gestor)
    await app.run({ formato: 'dbf', filtros }, gestor)
  })

  it('tells the audit the layout and that the file is not anonymous', async () => {
    await app.run({ formato: 'dbf', filtros }, gestor)
    const [entry] = (await app.audit('casos.exportados')).slice(-1)
    assert.deepEqual([entry?.detalhes.layout, entry?.detalhes.nivel], ['sinan_online', 'desidentificado'])
  })
})

it('Cases of a system without the numbers of SINAN keep theirs', async () => {
  const { status } = await t
    .as(gestor)
    .post('/agravos/casos', linha({ numero_notificacao: 'RN-2024/000123456' }))
  assert.equal(status, 201)
  const { header, values } = await readTable(await exported('dengue', 'dbf'), 'dbf')
  assert.equal(values[0]?.[header.indexOf('NU_NOTIFIC')], 'RN-2024/000123456')
})
