import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Permission } from '../../src/caller/permissions.ts'
import { CASOS_COLUMNS } from '../../src/domain/exportacao/columns.ts'
import { COLUMN_NAMES } from '../../web/console/screens/casos/address.ts'
import { camposOf } from '../../web/console/screens/casos/export-columns.ts'
import { noBrowser } from '../harness/browser.ts'
import { type Answers, consoleVisits, type Visit } from '../harness/console-page.ts'
import { ALL, casosOf } from './casos-data.ts'

const STARTED = {
  status: 202,
  body: { job_id: 'job_1', status: 'processing', status_url: '', message: '' },
}
const answersOf = (permissoes?: Permission[]): Answers => ({
  ...casosOf(permissoes),
  'POST /api/v1/agravos/casos/exportar': STARTED,
  'POST /api/v1/agravos/casos/extratos': STARTED,
  'GET /api/v1/jobs/job_1': {
    body: {
      ...{ job_id: 'job_1', tipo: 'exportacao', status: 'processing', status_url: '', message: 'em curso' },
      ...{ progress: 40, created_at: '', completed_at: null },
    },
  },
})

describe('The dialog of exports', { skip: noBrowser }, () => {
  const visit = consoleVisits()

  const open = async (page: Page) => {
    await page.getByText('4418822').waitFor()
    await page.getByRole('button', { name: 'Exportar', exact: true }).click()
    return page.getByRole('dialog')
  }
  const sentBy = ({ asked }: Visit) =>
    asked.filter(({ name }) => name.startsWith('POST')).map(({ name, body }) => ({ name, body }))

  it('offers files of SINAN once the filter has one disease, and asks for the one chosen', async () => {
    await using without = await visit('/casos?periodo=sempre', { answers: answersOf() })
    const closed = await open(without.page)
    for (const name of [/^DBF do SINAN/, /^DBC do DATASUS/, /^CSV com as colunas/])
      assert.equal(await closed.getByRole('radio', { name }).isDisabled(), true)
    await closed.getByText('Escolha antes um só agravo no filtro').first().waitFor()

    await using visited = await visit('/casos?agravo=dengue&periodo=sempre', { answers: answersOf() })
    const dialog = await open(visited.page)
    await dialog.getByRole('radio', { name: /^DBF do SINAN/ }).check()
    assert.equal(await dialog.getByLabel('Compactar (gzip)').count(), 0)
    await dialog.getByRole('button', { name: 'Exportar' }).click()
    await dialog.getByText('em curso').waitFor()
    const filtros = { tipo_agravo: 'dengue', classificacao: 'provavel' }
    assert.deepEqual(sentBy(visited), [
      { name: 'POST /api/v1/agravos/casos/exportar', body: { formato: 'dbf', filtros } },
    ])
  })

  it('compresses texts where that is asked for, and nothing else', async () => {
    await using visited = await visit('/casos?uf=PE&periodo=sempre', { answers: answersOf() })
    const dialog = await open(visited.page)
    await dialog.getByLabel('Compactar (gzip)').check()
    await dialog.getByRole('radio', { name: /^Parquet/ }).check()
    assert.equal(await dialog.getByLabel('Compactar (gzip)').count(), 0)
    await dialog.getByRole('radio', { name: /^CSV Abre/ }).check()
    await dialog.getByRole('button', { name: 'Exportar' }).click()
    await dialog.getByText('em curso').waitFor()
    const filtros = { estado: 'PE', classificacao: 'provavel' }
    assert.deepEqual(sentBy(visited), [
      {
        name: 'POST /api/v1/agravos/casos/exportar',
        body: { formato: 'csv', filtros, compactacao: 'gzip' },
      },
    ])
  })

  it('asks for the columns of the list where they are wanted, in files that have a choice', async () => {
    await using visited = await visit('/casos?agravo=dengue&periodo=sempre&colunas=numero,idade,municipio', {
      answers: answersOf(),
    })
    const dialog = await open(visited.page)
    await dialog.getByLabel('Só as colunas da lista').check()
    await dialog.getByRole('radio', { name: /^DBF do SINAN/ }).check()
    assert.equal(await dialog.getByLabel('Só as colunas da lista').count(), 0)
    await dialog.getByRole('radio', { name: /^Excel/ }).check()
    await dialog.getByLabel('Com nome, nascimento, endereço e CEP').check()
    await dialog.getByRole('button', { name: 'Exportar' }).click()
    await dialog.getByText('em curso').waitFor()
    const sent = sentBy(visited)[0]?.body as { campos?: string[] } | undefined
    assert.deepEqual(sent?.campos, [
      ...['numero_notificacao', 'paciente_idade', 'paciente_sexo', 'municipio_residencia'],
      ...['municipio_residencia_nome', 'bairro_residencia', 'paciente_nome', 'paciente_data_nascimento'],
      ...['logradouro_residencia', 'cep_residencia'],
    ])
    for (const columns of [COLUMN_NAMES, []])
      for (const campo of camposOf(columns, true))
        assert.ok((CASOS_COLUMNS as readonly string[]).includes(campo), `${campo} is a column of exports`)
  })

  it('has the research extract for those who may make one, with its purpose and recipient', async () => {
    await using other = await visit('/casos', { answers: answersOf() })
    assert.equal(await (await open(other.page)).getByText('Extrato para pesquisa').count(), 0)

    const permissoes: Permission[] = [...ALL, 'agravos.extrair']
    await using visited = await visit('/casos?uf=PE&periodo=sempre', { answers: answersOf(permissoes) })
    const dialog = await open(visited.page)
    await dialog.getByRole('radio', { name: /^Extrato para pesquisa/ }).check()
    assert.equal(await dialog.getByLabel('Com nome, nascimento, endereço e CEP').count(), 0)
    await dialog.getByLabel('Finalidade').fill('curta')
    await dialog.getByRole('button', { name: 'Exportar' }).click()
    await dialog.getByText('Ao menos 10 caracteres.').waitFor()
    await dialog.getByText('Ao menos 3 caracteres.').waitFor()
    assert.deepEqual(sentBy(visited), [])
    await dialog.getByLabel('Finalidade').fill('Sazonalidade por faixa etária')
    await dialog.getByLabel('Quem recebe').fill(' Universidade Federal ')
    await dialog.getByLabel('Casos iguais, ao menos').selectOption('10')
    await dialog.getByLabel('Em Parquet, em vez de um ZIP com CSV').check()
    await dialog.getByRole('button', { name: 'Exportar' }).click()
    await dialog.getByText('em curso').waitFor()
    assert.deepEqual(sentBy(visited), [
      {
        name: 'POST /api/v1/agravos/casos/extratos',
        body: {
          ...{ formato: 'parquet', k: 10, finalidade: 'Sazonalidade por faixa etária' },
          orgao: 'Universidade Federal',
          filtros: { estado: 'PE', classificacao: 'provavel' },
        },
      },
    ])
  })

  it('is the extract alone for an account that may not export', async () => {
    const permissoes: Permission[] = ['agravos.listar', 'agravos.extrair']
    await using visited = await visit('/casos', { answers: answersOf(permissoes) })
    const dialog = await open(visited.page)
    await dialog.getByLabel('Finalidade').waitFor()
    assert.equal(await dialog.getByRole('radio').count(), 1)
  })
})
