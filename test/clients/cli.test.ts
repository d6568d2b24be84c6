import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { CLOSED_PIPE, INTERRUPTED } from '../../clients/cli/context.ts'
import { TEXTS } from '../../clients/cli/texts.ts'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { commandLine, linesOf, linha } from '../harness/command-line.ts'

const { service, folder, caFile, vigia, done, json, LOGIN, arquivo, casosOf } = await commandLine()
const CREDENTIALS = join(folder, 'vigia', 'credenciais.json')

describe('vigia login', () => {
  it('refuses a wrong password and keeps nothing', async () => {
    const { code, stderr } = await vigia(LOGIN, { input: 'Errada#123\n' })
    assert.equal(code, 1)
    assert.match(stderr, /incorret|inválid/i)
    await assert.rejects(stat(CREDENTIALS), { code: 'ENOENT' })
    assert.equal((await vigia(['quem-sou', '--url', service.origin, '--ca', caFile])).code, 3)
    assert.equal((await vigia(LOGIN)).code, 1, 'no password at all')
  })

  it('keeps tokens, address and certificate for its owner alone, never the password', async () => {
    const { stderr } = await done(LOGIN, { input: `${PASSWORD}\n` })
    assert.ok(stderr.includes(`Entrou como ${ADMIN_EMAIL}`))
    assert.equal((await stat(CREDENTIALS)).mode & 0o777, 0o600)
    const kept = await readFile(CREDENTIALS, 'utf8')
    assert.doesNotMatch(kept, new RegExp(PASSWORD))
    assert.equal((await json(['quem-sou'])).email, ADMIN_EMAIL)
  })

  it('sends its tokens to no other service', async () => {
    const { code } = await vigia(['quem-sou'], { env: { VIGIA_URL: 'https://127.0.0.1:99999' } })
    assert.equal(code, 2)
    assert.equal((await vigia(['quem-sou', '--url', service.origin.replace('https', 'http')])).code, 2)
    const other = await vigia([
      'quem-sou',
      '--ca',
      caFile,
      '--url',
      service.origin.replace('127.0.0.1', 'localhost'),
    ])
    assert.equal(other.code, 3)
  })

  it('renews them for several processes at once, each as valid as before', async () => {
    service.advance(3_700_000)
    const kept = JSON.parse(await readFile(CREDENTIALS, 'utf8'))
    await writeFile(CREDENTIALS, JSON.stringify({ ...kept, tokens: { ...kept.tokens, expires_at: 0 } }))
    const runs = await Promise.all(Array.from({ length: 4 }, () => vigia(['quem-sou', '--json'])))
    assert.deepEqual(
      runs.map(({ code }) => code),
      [0, 0, 0, 0],
      runs.map(({ stderr }) => stderr).join(),
    )
    assert.notEqual(
      JSON.parse(await readFile(CREDENTIALS, 'utf8')).tokens.refresh_token,
      kept.tokens.refresh_token,
    )
  })

  it('is not needed where VIGIA_TOKEN is', async () => {
    const { tokens } = JSON.parse(await readFile(CREDENTIALS, 'utf8'))
    const env = {
      XDG_CONFIG_HOME: join(folder, 'nada'),
      VIGIA_URL: service.origin,
      VIGIA_TOKEN: tokens.access_token,
    }
    assert.equal((await json(['quem-sou', '--ca', caFile], { env })).email, ADMIN_EMAIL)
    assert.equal((await vigia(['quem-sou', '--ca', caFile], { env: { ...env, VIGIA_TOKEN: 'x' } })).code, 3)
  })

  it('trusts no certificate that it does not know, and says how to name it', async () => {
    const env = { VIGIA_URL: service.origin, XDG_CONFIG_HOME: join(folder, 'nada') }
    const { code, stderr } = await vigia(['quem-sou'], { env })
    assert.equal(code, 1)
    assert.match(stderr, /--ca/)
    assert.equal((await vigia(['quem-sou', '--ca', join(folder, 'nada.pem')], { env })).code, 2)
  })
})

describe('vigia casos', () => {
  const CASO = JSON.stringify({
    tipo_agravo: 'dengue',
    numero_notificacao: 'cli-1',
    data_notificacao: '2026-03-12',
    paciente_nome: 'Maria de Palmas',
    municipio_residencia: 'Palmas',
    estado_residencia: 'TO',
  })

  it('criar says with --simular what it would do, then does it, once for each number', async () => {
    const { stderr } = await done(['casos', 'criar', '-', '--simular'], { input: CASO })
    assert.match(stderr, /Simulação/)
    assert.deepEqual(await casosOf('cli-1'), [])
    const { id } = await json(['casos', 'criar', '-'], { input: CASO })
    assert.deepEqual(
      (await casosOf('cli-1')).map((caso) => caso.id),
      [id],
    )
    const again = await vigia(['casos', 'criar', '-'], { input: CASO })
    assert.equal(again.code, 1)
    assert.match(again.stderr, /numero_notificacao/)
    assert.equal(
      (await vigia(['casos', 'criar', '-', '--simular'], { input: '{"tipo_agravo":"gripe"}' })).code,
      1,
    )
    assert.equal((await vigia(['casos', 'criar', '-'], { input: 'nada' })).code, 2)
    assert.equal((await vigia(['casos', 'criar', join(folder, 'nada.json')])).code, 2)
  })

  it('names diseases at a terminal, defined ones too, and gives their codes to other programs', async () => {
    const admin = service.t.as(await service.t.administrador())
    const defined = await admin.post('/agravos/tipos', { modelo: 'meningite', ativar: true })
    assert.equal(defined.status, 201, defined.text)
    assert.match(
      (await done(['agravos'])).stdout,
      /^codigo\tnome\tcid10\n(.*\n)*meningite\tMeningites\tG03\.9/,
    )
    const caso = { ...JSON.parse(CASO), tipo_agravo: 'meningite', numero_notificacao: 'cli-men' }
    const { id } = await json(['casos', 'criar', '-'], { input: JSON.stringify(caso) })
    const list = ['casos', 'listar', '--filtro', 'tipo_agravo=meningite']
    assert.match((await done(list, { isTTY: true })).stdout, /\n\d+ +Meningites +cli-men/)
    assert.match((await done(list)).stdout, /\n\d+\tmeningite\tcli-men/)
    const one = ['casos', 'ver', String(id)]
    assert.match((await done(one, { isTTY: true })).stdout, /^tipo_agravo +Meningites$/m)
    assert.match((await done(one)).stdout, /^tipo_agravo +meningite$/m)
  })

  it('listar gives a table to a terminal, columns to other programs, JSON lines if asked for', async () => {
    const list = ['casos', 'listar', '--filtro', 'numero_notificacao=cli-1']
    assert.match(
      (await done(list, { isTTY: true })).stdout,
      /^id +agravo +numero .*\n\d+ +Dengue +cli-1 +2026-03-12 +M\. P\./,
    )
    assert.match((await done(list)).stdout, /^id\tagravo\t.*\n\d+\tdengue\tcli-1\t/)
    const refused = await vigia(['casos', 'listar', '--filtro', 'nada=1'])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /nada/)
    assert.equal((await vigia(['casos', 'listar', '--filtro', 'estado'])).code, 2)
    assert.equal((await vigia(['casos', 'listar', '--limite', '0'])).code, 2)
  })

  it('listar --tudo reads every page, and ends quietly when its reader has enough', async () => {
    const file = await arquivo('muitos.csv', ...Array.from({ length: 150 }, (_, i) => linha(`muitos-${i}`)))
    await done(['importar', file, '--acompanhar'])
    const all = ['casos', 'listar', '--json', '--tudo', '--filtro', 'numero_notificacao[like]=muitos-']
    const ids = linesOf((await done(all)).stdout).map((line) => JSON.parse(line).id)
    assert.equal(new Set(ids).size, 150)
    const pipe = new AbortController()
    const { code, stdout, stderr } = await vigia(all, {
      signal: pipe.signal,
      onOutput: () => pipe.abort(CLOSED_PIPE),
    })
    assert.deepEqual([code, stderr, linesOf(stdout).length], [0, '', 100])
  })

  it('ver shows one, and says what it does not find in the language asked for', async () => {
    const [{ id }] = await casosOf('cli-1')
    assert.match((await done(['casos', 'ver', String(id)])).stdout, /^numero_notificacao +cli-1$/m)
    assert.equal((await json(['casos', 'ver', String(id)])).id, id)
    const { code, stderr } = await vigia(['casos', 'ver', '799999999', '--idioma', 'en-US'])
    assert.equal(code, 1)
    assert.match(stderr, /not found/i)
  })

  it('exportar writes to a file of its owner, or to the output', async () => {
    const file = join(folder, 'saida.csv')
    const args = ['casos', 'exportar', '--filtro', 'numero_notificacao=cli-1']
    await done([...args, '--saida', file])
    assert.match(await readFile(file, 'utf8'), /cli-1/)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.match((await done([...args, '--formato', 'json'])).stdout, /^\{.*"cli-1"/)
    await done([...args, '--gzip', '--saida', file])
    assert.match(gunzipSync(await readFile(file)).toString(), /cli-1/)
    const some = await done([...args, '--campos', 'numero_notificacao,status'])
    assert.equal(some.stdout, '\uFEFFnumero_notificacao;status\r\ncli-1;em_investigacao\r\n')
  })

  it('exportar takes the layout of SINAN, and tells which one the disease does not have', async () => {
    const args = ['casos', 'exportar', '--formato', 'csv_sinan', '--filtro', 'tipo_agravo=dengue']
    assert.match((await done([...args, '--layout', 'sinan_online'])).stdout, /TP_NOT;ID_AGRAVO;DT_NOTIFIC/)
    const refused = await vigia([...args, '--layout', 'sinan_net'])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /layout/)
    assert.equal((await vigia([...args, '--layout', 'sinan'])).code, 2)
  })

  it('extrair makes a research extract, with what it is for', async () => {
    const file = join(folder, 'extrato.zip')
    const told = ['--finalidade', 'Sazonalidade por faixa etária', '--orgao', 'Universidade']
    const args = ['casos', 'extrair', '--quase', 'lugar,sexo', '--saida', file]
    await done([...args, ...told, '--filtro', 'numero_notificacao[like]=muitos-'])
    assert.equal((await readFile(file)).subarray(0, 2).toString(), 'PK')
    assert.equal((await vigia(args)).code, 2, 'without a purpose')
    assert.equal((await vigia([...args, ...told, '--k', '3'])).code, 2)
    const few = await vigia([...args, ...told, '--filtro', 'numero_notificacao=cli-1'])
    assert.equal(few.code, 1)
    assert.notEqual(few.stderr, '')
  })
})

describe('vigia jobs, eventos, resumo, mapa, usuarios, grupos', () => {
  it('jobs: lists, shows, follows in JSON lines, cancels', async () => {
    await service.t.jobWorker.stop()
    const { job_id } = await json(['importar', await arquivo('fila.csv', linha('fila-1'))])
    assert.equal((await json(['jobs', 'ver', job_id])).status, 'processing')
    assert.match((await done(['jobs', 'listar'])).stdout, new RegExp(`^${job_id}\t`, 'm'))
    assert.equal((await vigia(['jobs', 'cancelar', job_id])).code, 2)
    await done(['jobs', 'cancelar', job_id, '--simular'])
    assert.equal((await json(['jobs', 'ver', job_id])).status, 'processing')
    await done(['jobs', 'cancelar', job_id, '--sim'])
    const followed = await vigia(['jobs', 'acompanhar', job_id, '--json'])
    assert.equal(followed.code, 1)
    assert.notEqual(JSON.parse(linesOf(followed.stdout).at(-1) as string).status, 'processing')
    service.t.jobWorker.start()
  })

  it('eventos seguir: JSON lines from a cursor on, and the cursor to go on from, also when interrupted', async () => {
    await service.t.webhookWorker.runOnce()
    const first = await done(['eventos', 'seguir', '--uma-vez'])
    assert.ok(
      linesOf(first.stdout)
        .map((line) => JSON.parse(line).tipo)
        .includes('agravo.criado'),
    )
    const [, cursor = ''] = /^--desde (\d+)$/m.exec(first.stderr) ?? []
    assert.equal((await done(['eventos', 'seguir', '--uma-vez', '--desde', cursor])).stdout, '')
    const stop = new AbortController()
    const run = await vigia(['eventos', 'seguir', '--desde', '2020-01-01T00:00:00Z'], {
      signal: stop.signal,
      onOutput: () => stop.abort(INTERRUPTED),
    })
    assert.equal(run.code, 130)
  })

  it('resumo and mapa: the numbers of a filter', async () => {
    const filter = ['--filtro', 'numero_notificacao[like]=muitos-']
    assert.equal((await json(['resumo', ...filter, '--agregacao', 'semana'])).total, 150)
    assert.match((await done(['resumo', ...filter])).stdout, /^total +150$/m)
    assert.equal((await json(['mapa', ...filter])).metadata.total_casos, 150)
    assert.match((await done(['mapa', ...filter])).stdout, /Olinda.*150|150.*Olinda/)
  })

  it('usuarios and grupos: lists, shows, deactivates after a question', async () => {
    const { id, email } = await service.t.person()
    assert.match(
      (await done(['usuarios', 'listar', '--filtro', `email=${email}`])).stdout,
      new RegExp(`^${id}\t`, 'm'),
    )
    const change = ['usuarios', 'desativar', String(id)]
    assert.equal((await vigia(change)).code, 2)
    assert.ok((await done([...change, '--simular'])).stderr.includes(email))
    assert.equal((await json(['usuarios', 'ver', String(id)])).ativo, true)
    const no = await vigia(change, { input: 'n\n', isTyped: true })
    assert.equal(no.code, 1)
    assert.match(no.stderr, /\[s\/N\].*\nNada foi feito/s)
    assert.equal((await json(['usuarios', 'ver', String(id)])).ativo, true)
    await done(change, { input: 's\n', isTyped: true })
    assert.equal((await json(['usuarios', 'ver', String(id)])).ativo, false)
    await done(['usuarios', 'reativar', String(id)])
    await done([...change, '--sim'])
    assert.equal((await json(['usuarios', 'ver', String(id)])).ativo, false)
    await done(['usuarios', 'reativar', String(id), '--simular'])
    await done(['usuarios', 'reativar', String(id)])
    assert.equal((await json(['usuarios', 'ver', String(id)])).ativo, true)
    const [grupo] = linesOf((await done(['grupos', 'listar', '--json'])).stdout)
    const { id: grupo_id, nome } = JSON.parse(grupo as string)
    assert.equal((await json(['grupos', 'ver', String(grupo_id)])).nome, nome)
  })

  it('usuarios criar: asks for the password, never takes it as an argument, and changes nothing with --simular', async () => {
    const email = 'nova.conta@saude.example'
    const [grupo] = linesOf((await done(['grupos', 'listar', '--json'])).stdout)
    const { id: grupo_id, nome } = JSON.parse(grupo as string)
    const create = ['usuarios', 'criar', '--nome', 'Nova Conta', '--email', email]
    const found = () => done(['usuarios', 'listar', '--json', '--filtro', `email=${email}`])
    assert.ok((await done([...create, '--simular'])).stderr.includes(email))
    assert.equal((await found()).stdout, '')
    assert.equal((await vigia([...create, '--grupos', 'gestor'])).code, 2)
    assert.equal((await vigia([...create, '--territorios', 'Recife'])).code, 2)
    assert.equal((await vigia([...create, '--senha', PASSWORD])).code, 2)
    assert.equal((await vigia(['usuarios', 'criar', '--nome', 'Sem Email'])).code, 2)
    const weak = await vigia(create, { input: 'fraca\n' })
    assert.equal(weak.code, 1)
    assert.match(weak.stderr, /senha/)
    const places = ['--grupos', String(grupo_id), '--territorios', 'PE, 2611606']
    const { stdout, stderr } = await done([...create, ...places, '--json'], { input: `${PASSWORD}\n` })
    const { territorios, grupos } = JSON.parse(stdout)
    assert.deepEqual(
      [territorios.map(({ codigo }: { codigo: string }) => codigo), grupos[0].nome],
      [['PE', '2611606'], nome],
    )
    assert.doesNotMatch(`${stdout}${stderr}`, new RegExp(PASSWORD))
    assert.equal(linesOf((await found()).stdout).length, 1)
  })

  it('completar: a script for bash, and words for what was typed', async () => {
    assert.match((await done(['completar', 'bash'])).stdout, /complete -o default -F _vigia vigia/)
    assert.deepEqual(linesOf((await done(['completar', 'palavras', 'ca'])).stdout), ['casos'])
    assert.deepEqual(linesOf((await done(['completar', 'palavras', 'importar', '--rej'])).stdout), [
      '--rejeitados',
    ])
  })

  it('writes no colours, on a terminal neither, with NO_COLOR or without', async () => {
    for (const env of [{}, { NO_COLOR: '1' }])
      for (const args of [['--help'], ['grupos', 'listar'], ['caso']]) {
        const { stdout, stderr } = await vigia(args, { isTTY: true, env })
        assert.ok(!`${stdout}${stderr}`.includes('\u001b'), args.join(' '))
      }
  })

  it('shows help in Portuguese, and refuses unknown commands', async () => {
    assert.match((await done(['--help'])).stdout, /^COMANDOS$/m)
    assert.match((await done(['casos', 'listar', '--help'])).stdout, /--filtro/)
    const unknown = await vigia(['caso'])
    assert.equal(unknown.code, 2)
    assert.match(unknown.stderr, /seria `?casos/)
  })

  it('has every text in three languages', () => {
    for (const texts of Object.values(TEXTS))
      assert.deepEqual(Object.keys(texts), Object.keys(TEXTS['pt-BR']))
  })
})

describe('vigia logout', () => {
  it('ends the session and forgets the tokens', async () => {
    await done(['logout'])
    await assert.rejects(stat(CREDENTIALS), { code: 'ENOENT' })
    assert.equal((await vigia(['quem-sou', '--url', service.origin, '--ca', caFile])).code, 3)
    assert.equal((await vigia(['logout', '--url', service.origin, '--ca', caFile])).code, 3)
  })
})
