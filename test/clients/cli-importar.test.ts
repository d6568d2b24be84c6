import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { INTERRUPTED } from '../../clients/cli/context.ts'
import { PASSWORD } from '../harness/app.ts'
import { commandLine, linesOf, linha } from '../harness/command-line.ts'

const { service, folder, vigia, done, json, LOGIN, arquivo, casosOf } = await commandLine()
await done(LOGIN, { input: `${PASSWORD}\n` })

describe('vigia importar', () => {
  it('only checks with --validar or --simular', async () => {
    const file = await arquivo('conferir.csv', linha('conferir-1'))
    for (const flag of ['--validar', '--simular']) {
      const { stdout, stderr } = await done(['importar', file, flag, '--acompanhar'])
      assert.match(stderr, /Validação concluída/)
      assert.match(stdout, /^importados +1$/m)
    }
    assert.deepEqual(await casosOf('conferir-1'), [])
  })

  it('reads free texts of own fields with --textos alone', async () => {
    const admin = service.t.as(await service.t.administrador())
    assert.equal(
      (await admin.post('/agravos/tipos', { modelo: 'leishmaniose_visceral', ativar: true })).status,
      201,
    )
    const file = join(folder, 'LEIVBR26.csv')
    await writeFile(
      file,
      'TP_NOT;ID_AGRAVO;DT_NOTIFIC;NU_NOTIFIC;SG_UF;ID_MN_RESI;OUTROS_ESP\n2;B550;2026-03-10;77;26;261160;tosse\n',
    )
    const useOf = async (...flags: string[]) => {
      const job = await json(['importar', file, '--validar', '--acompanhar', ...flags])
      const columns: { nome: string; uso: string }[] = job.resultado.colunas
      return columns.find(({ nome }) => nome === 'OUTROS_ESP')?.uso
    }
    assert.deepEqual([await useOf(), await useOf('--textos')], ['ignorada', 'usada'])
  })

  it('names the job, follows it on request, and ends with 1 where nothing was imported, 4 where some rows were not', async () => {
    const good = await arquivo('bons.csv', linha('bons-1'), linha('bons-2'))
    const { job_id } = await json(['importar', good])
    await done(['jobs', 'acompanhar', job_id])
    assert.equal((await casosOf('bons-2')).length, 1)
    const mixed = await arquivo('mistos.csv', linha('mistos-1'), linha('mistos-2', '2026-02-30'))
    const failed = await vigia(['importar', mixed, '--acompanhar'])
    assert.equal(failed.code, 1)
    assert.match(failed.stderr, /^ {2}3: /m)
    assert.deepEqual(await casosOf('mistos-1'), [])
    const rejeitados = join(folder, 'rejeitados.csv')
    const partly = await vigia(['importar', mixed, '--ignorar-erros', '--rejeitados', rejeitados])
    assert.equal(partly.code, 4, partly.stderr)
    assert.equal((await casosOf('mistos-1')).length, 1)
    assert.match(await readFile(rejeitados, 'utf8'), /mistos-2/)
    const { job_id: last } = await json(['jobs', 'listar', '--limite', '1'])
    assert.match((await done(['jobs', 'rejeitados', last])).stdout, /mistos-2/)
  })

  it('says what is wrong with file, disease and arguments', async () => {
    const file = await arquivo('um.csv', linha('um-1'))
    for (const [args, code] of [
      [['importar', join(folder, 'nada.csv')], 2],
      [['importar'], 2],
      [['importar', file, file], 2],
      // The service knows the diseases.
      [['importar', file, '--agravo', 'gripe'], 1],
      [['importar', file, '--importa'], 2],
    ] as const) {
      const run = await vigia([...args])
      assert.deepEqual([run.code, run.stdout], [code, ''], run.stderr)
      assert.doesNotMatch(run.stderr, /^ {4}at /m, 'no stack')
    }
    assert.deepEqual(await casosOf('um-1'), [])
  })

  it('draws bars on a terminal; an interrupt leaves the job to the service, and says how to come back', async () => {
    await service.t.jobWorker.stop()
    const file = await arquivo('longo.csv', linha('longo-1'))
    const stop = new AbortController()
    const onOutput = (text: string) => text.includes('Em curso') && stop.abort(INTERRUPTED)
    const { code, stderr } = await vigia(['importar', file, '--acompanhar'], {
      isTTY: true,
      signal: stop.signal,
      onOutput,
    })
    assert.equal(code, 130)
    const [, id = ''] = /vigia jobs acompanhar (\S+)\n$/.exec(stderr) ?? []
    assert.match(stderr, /Enviando +█+ 100 %\n/)
    service.t.jobWorker.start()
    await done(['jobs', 'acompanhar', id])
    assert.equal((await casosOf('longo-1')).length, 1)
  })

  it('importacoes desfazer asks first, simulates, and undoes', async () => {
    const [last] = linesOf((await done(['importacoes', 'listar', '--json', '--limite', '1'])).stdout)
    const { id } = JSON.parse(last as string)
    const undo = ['importacoes', 'desfazer', String(id)]
    assert.equal((await vigia(undo)).code, 2)
    assert.match((await done([...undo, '--simular'])).stderr, /Simulação/)
    assert.equal((await casosOf('longo-1')).length, 1)
    await done([...undo, '--sim'])
    assert.deepEqual(await casosOf('longo-1'), [])
  })
})
