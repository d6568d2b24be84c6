import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { readTable } from '../../domain/importacao/formats/files.ts'
import { FEBRE_DO_RIO, RIO } from '../../domain/importacao/layouts/agravos-definidos.ts'
import { exportacoesApp } from './exportacoes-app.ts'
import { csv, type Linha, sinan } from './importacoes-app.ts'

/** Files of SINAN of diseases with a definition: the columns that imports read by it, read backwards. */

const app = await exportacoesApp()
const { t, admin, gestor } = app
after(() => t.close())
const { pool } = t.database
for (const body of [FEBRE_DO_RIO, { modelo: 'leptospirose' }, { modelo: 'hanseniase' }]) {
  const { status, text } = await t.as(admin).post('/agravos/tipos', { ...body, ativar: true })
  assert.equal(status, 201, text)
}
const removeAll = async () => {
  await pool.run(sql`delete from casos`)
  await pool.run(sql`delete from importacoes`)
}
beforeEach(removeAll)

const FULL: Linha = {
  ...RIO,
  ...{ ID_UNIDADE: '0000477', NM_PACIENT: 'JOÃO DA SILVA', NU_IDADE_N: '4036', CS_SEXO: 'M', CS_RACA: '4' },
  ...{ CLASSI_FIN: '2', CRITERIO: '3', EVOLUCAO: '2', DT_ENCERRA: '2024-05-02', DT_DIGITA: '2024-04-26' },
  ...{ RIO_HOSP: '1', RIO_FEBRE: '1', RIO_BANHO: '1', UF: '2', RIO_PEIXES: '1|2', RIO_MERG: '12' },
  ...{ RIO_METROS: '1.5', RIO_DT: '2024-04-20', RIO_PORTO: '260790', RIO_RELATO: 'nadou', HIV: '2' },
}
const exported = (tipo: string, formato: string, more: object = {}) =>
  app.fileOf({ formato, identificado: true, filtros: { tipo_agravo: tipo }, ...more }, gestor)

async function comesBack(tipo: string, formato: string, linhas: Linha[]): Promise<void> {
  const first = await app.importar(csv(...linhas), { by: gestor, textos: 'true' })
  assert.deepEqual([first.importados, first.erros], [linhas.length, 0], JSON.stringify(first))
  const before = await app.contents()
  const file = await exported(tipo, formato)
  await removeAll()
  const again = await app.importar(file, {
    formato: formato === 'csv_sinan' ? 'csv' : formato,
    by: gestor,
    textos: 'true',
  })
  assert.deepEqual([again.importados, again.erros], [linhas.length, 0], JSON.stringify(again))
  assert.deepEqual(await app.contents(), before)
}

describe('A file of SINAN of a defined disease', () => {
  for (const formato of ['csv_sinan', 'dbf', 'dbc'])
    it(`as ${formato} comes back as the same cases, own fields included`, async () => {
      const empty = { ...RIO, NU_NOTIFIC: '7654322' }
      const other = { ...FULL, NU_NOTIFIC: '7654323', UF: '1', RIO_PEIXES: '2', RIO_BANHO: '2', RIO_DT: '' }
      await comesBack('febre_do_rio', formato, [FULL, empty, other])
    })

  it('has the columns that the definition names, in between those of every form', async () => {
    await app.importar(csv(FULL), { by: gestor, textos: 'true' })
    const { header, values } = await readTable(await exported('febre_do_rio', 'csv_sinan'))
    const cell = (nome: string) => values[0]?.[header.indexOf(nome)]
    assert.deepEqual(
      ['ID_AGRAVO', 'CLASSI_FIN', 'CRITERIO', 'EVOLUCAO', 'RIO_HOSP', 'UF', 'HIV', 'RIO_RELATO'].map(cell),
      ['Z981', '2', '3', '2', '1', '2', '2', 'nadou'],
    )
    for (const nome of ['HOSPITALIZ', 'DT_INVEST', 'FEBRE', 'NM_MAE_PAC', 'RIO_ANTIGO', 'ALRM_HIPOT'])
      assert.equal(header.indexOf(nome), -1, nome)
    assert.ok(header.indexOf('RIO_BANHO') < header.indexOf('CLASSI_FIN'))
    const open = await readTable(await exported('febre_do_rio', 'csv_sinan', { identificado: false }))
    for (const nome of ['NM_PACIENT', 'NU_NOTIFIC', 'HIV', 'RIO_RELATO'])
      assert.equal(open.header.indexOf(nome), -1, `${nome} without identification`)
    assert.ok(open.header.includes('RIO_BANHO'))
  })

  it('of the models comes back, also where the diagnosis stands for the onset', async () => {
    const row = (more: Linha) => sinan({ ...more, SG_UF_NOT: '26', ID_MUNICIP: '260790', CS_SEXO: 'F' })
    await comesBack('leptospirose', 'dbf', [
      row({
        ID_AGRAVO: 'A279',
        CLASSI_FIN: '1',
        CRITERIO: '1',
        EVOLUCAO: '2',
        CLI_ICTERI: '1',
        LAB_ELIS_1: '2',
      }),
      row({ ID_AGRAVO: 'A279', ATE_HOSP: '1', CLI_FEBRE: '2' }),
    ])
    await removeAll()
    const { DT_SIN_PRI: _, ...diagnosed } = row({ ID_AGRAVO: 'A309', DT_DIAG: '2024-04-20' })
    await comesBack('hanseniase', 'dbc', [diagnosed])
  })

  it('of a known disease has the columns of the fields that a version added, behind its own', async () => {
    const { body } = await t.as(admin).get('/agravos/tipos/zika')
    const vacina = { nome: 'vacina', rotulo: 'Vacina', tipo: 'bool', grupo: 'Vacina', sinan: ['VACINA'] }
    const definicao = { ...body.definicao, campos: [...body.definicao.campos, vacina], ativar: true }
    const changed = await t.as(admin).put('/agravos/tipos/zika', definicao)
    assert.equal(changed.status, 200, changed.text)
    await comesBack('zika', 'dbf', [sinan({ ID_AGRAVO: 'A928', VACINA: '1' })])
    const { header } = await readTable(await exported('zika', 'csv_sinan'))
    assert.equal(header.at(-1), 'VACINA')
  })
})
