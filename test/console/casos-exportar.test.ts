import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { Permission } from '../../src/caller/permissions.ts'
import { CASOS_COLUMNS, SEALED_COLUMNS } from '../../src/domain/exportacao/columns.ts'
import { COLUMN_NAMES } from '../../web/console/screens/casos/address.ts'
import { camposOf, choosableColumns } from '../../web/console/screens/casos/export-columns.ts'
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

  const camposSent = (visited: Visit) =>
    (sentBy(visited)[0]?.body as { campos?: string[] } | undefined)?.campos

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
    const listed = dialog.getByRole('radio', { name: /^As da lista/ })
    await listed.check()
    await dialog.getByRole('radio', { name: /^DBF do SINAN/ }).check()
    assert.equal(await listed.count(), 0)
    await dialog.getByRole('radio', { name: /^Excel/ }).check()
    await dialog.getByLabel('Com nome, nascimento, endereço e CEP').check()
    await dialog.getByRole('button', { name: 'Exportar' }).click()
    await dialog.getByText('em curso').waitFor()
    assert.deepEqual(camposSent(visited), [
      ...['numero_notificacao', 'paciente_idade', 'paciente_sexo', 'municipio_residencia'],
      ...['municipio_residencia_nome', 'bairro_residencia', 'paciente_nome', 'paciente_data_nascimento'],
      ...['logradouro_residencia', 'cep_residencia'],
    ])
  })

  it('has columns to choose one by one or by blocks, from those of the list on, and none is no file', async () => {
    await using visited = await visit('/casos?agravo=dengue&periodo=sempre&colunas=numero,idade', {
      answers: answersOf(),
    })
    const dialog = await open(visited.page)
    await dialog.getByRole('radio', { name: /^Escolher/ }).check()
    const box = (name: string) => dialog.getByRole('checkbox', { name, exact: true })
    assert.equal(await box('Nº da notificação').isChecked(), true)
    assert.equal(await box('Número interno').isChecked(), false)
    await box('Nº da notificação').uncheck()
    await dialog.locator('summary', { hasText: 'Paciente' }).click()
    assert.equal(await box('Nome do paciente').count(), 0, 'what identifies is not offered')
    await box('Idade').uncheck()
    await box('Sexo').uncheck()
    await dialog.getByRole('button', { name: 'Exportar' }).click()
    await dialog.getByText('Escolha ao menos uma coluna.').waitFor()
    assert.deepEqual(sentBy(visited), [])
    await box('Semana da notificação').check()
    await dialog.locator('summary', { hasText: 'Hospitalização' }).click()
    await dialog.getByRole('group', { name: 'Hospitalização' }).getByLabel('Todas deste bloco').check()
    await dialog.getByLabel('Com nome, nascimento, endereço e CEP').check()
    await dialog.getByRole('button', { name: 'Exportar' }).click()
    await dialog.getByText('em curso').waitFor()
    const hospital = choosableColumns(true).find(([block]) => block === 'hospitalizacao')?.[1] ?? []
    assert.ok(hospital.length > 3)
    assert.deepEqual(camposSent(visited), [
      ...['semana_epidemiologica', 'paciente_nome', 'paciente_data_nascimento', 'logradouro_residencia'],
      ...['cep_residencia', ...hospital],
    ])
  })

  it('offers every column of the service once, and only those', () => {
    const offered = choosableColumns(true).flatMap(([, columns]) => columns)
    assert.deepEqual(offered.toSorted(), [...CASOS_COLUMNS].toSorted())
    assert.ok(camposOf(COLUMN_NAMES, true).every((campo) => offered.includes(campo)))
    const open = choosableColumns(false).flatMap(([, columns]) => columns)
    assert.deepEqual(
      offered.filter((campo) => !open.includes(campo)).toSorted(),
      [...SEALED_COLUMNS].toSorted(),
    )
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
