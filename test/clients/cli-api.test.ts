import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { loadCertificate } from '../../src/http/listener/certificate.ts'
import { PASSWORD } from '../harness/app.ts'
import { commandLine } from '../harness/command-line.ts'

const { service, folder, vigia, done, LOGIN } = await commandLine()
await done(LOGIN, { input: `${PASSWORD}\n` })
const api = async (...args: string[]) => JSON.parse((await done(['api', ...args])).stdout)

describe('vigia api', () => {
  it('does what an administrator does: groups, permissions, service accounts, webhooks, audit', async () => {
    const grupo = await api('POST', '/grupos', '--corpo', '{"nome":"turno_da_noite"}')
    const { categorias } = await api('GET', '/permissoes')
    const permissoes = Object.values(categorias).flat() as { id: number; nome: string }[]
    const permissao = permissoes.find(({ nome }) => nome === 'agravos.listar')?.id
    await done(['api', 'POST', `/grupos/${grupo.id}/permissoes/${permissao}`])
    const { permissoes: given } = await api('get', `/api/v1/grupos/${grupo.id}`)
    assert.deepEqual(
      given.map(({ nome }: { nome: string }) => nome),
      ['agravos.listar'],
    )
    const conta = await api('POST', '/contas-de-servico', '--corpo', '{"nome":"Integração"}')
    assert.equal((await api('GET', `/contas-de-servico/${conta.id}`)).nome, 'Integração')
    const webhook = '{"url":"https://exemplo.example/","eventos":["agravo.criado"]}'
    assert.ok((await api('POST', '/webhooks', '--corpo', webhook)).id)
    const found = await api('GET', '/grupos?nome=turno_da_noite', '--consulta', 'id[gte]=1')
    assert.equal(found.total, 1)
    assert.ok((await api('GET', '/auditoria', '--consulta', 'size=5')).total > 3)
  })

  it('takes a body from a file or the input, and never shows it', async () => {
    const file = join(folder, 'grupo.json')
    await writeFile(file, '{"nome":"de_arquivo"}')
    assert.ok((await api('POST', '/grupos', '--corpo', `@${file}`)).id)
    assert.equal(
      (await vigia(['api', 'POST', '/grupos', '--corpo', '-'], { input: '{"nome":"da_entrada"}' })).code,
      0,
    )
    for (const [corpo, told] of [
      ['{"senha":"Segredo', '--corpo: não é JSON'],
      [`@${join(folder, 'nada')}`, 'não pode ser lido'],
    ] as const) {
      const { code, stderr } = await vigia(['api', 'POST', '/grupos', '--corpo', corpo])
      assert.deepEqual([code, stderr.includes(told), stderr.includes('Segredo')], [2, true, false], stderr)
    }
  })

  it('shows the request with --simular and does not send it', async () => {
    const args = ['POST', '/grupos', '--corpo', '{"nome":"simulado"}', '--consulta', 'a=b c']
    const { stdout, stderr } = await done(['api', ...args, '--simular'])
    assert.match(stderr, /Simulação/)
    assert.deepEqual(JSON.parse(stdout), {
      metodo: 'POST',
      endereco: `${service.origin}/api/v1/grupos?a=b+c`,
      corpo: { nome: 'simulado' },
    })
    assert.equal((await api('GET', '/grupos', '--consulta', 'nome=simulado')).total, 0)
  })

  it('asks before a deletion', async () => {
    const { id } = await api('POST', '/grupos', '--corpo', '{"nome":"de_passagem"}')
    assert.equal((await vigia(['api', 'DELETE', `/grupos/${id}`])).code, 2)
    const no = await vigia(['api', 'DELETE', `/grupos/${id}`], { input: 'n\n', isTyped: true })
    assert.equal(no.code, 1)
    assert.equal((await api('GET', `/grupos/${id}`)).id, id)
    assert.equal((await done(['api', 'DELETE', `/grupos/${id}`, '--sim'])).stdout, '')
    assert.equal((await vigia(['api', 'GET', `/grupos/${id}`])).code, 1)
  })

  it('indents JSON for people, and passes files on', async () => {
    assert.match((await done(['api', 'GET', '/health'], { isTTY: true })).stdout, /^\{\n {2}"/)
    assert.match((await done(['api', 'GET', '/health', '--json'], { isTTY: true })).stdout, /^\{"/)
    const file = join(folder, 'chaves.json')
    await done(['api', 'GET', '/.well-known/jwks.json', '--saida', file])
    assert.ok(JSON.parse(await readFile(file, 'utf8')).keys)
    const csv = ['api', 'GET', '/agravos/casos/estatisticas/curva?tipo_agravo=dengue&formato=csv']
    assert.match((await done(csv)).stdout, /^\uFEFF?\w+;/)
  })

  it('sends a key where the service knows repeats by it, and there alone', async () => {
    const keys: unknown[] = []
    const { cert, key } = await loadCertificate({ dataDir: join(folder, 'outro'), hosts: [] })
    const server = createServer({ cert, key }, ({ headers }, response) => {
      keys.push(headers['idempotency-key'])
      response.writeHead(204).end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    const given = ['--url', url, '--ca', join(folder, 'outro', 'tls', 'cert.pem')]
    for (const args of [
      ['POST', '/agravos/casos/999/fundir'],
      ['POST', '/grupos'],
      ['GET', '/agravos/casos'],
    ])
      await done(['api', ...args, ...given], { env: { VIGIA_TOKEN: 'x' } })
    server.closeAllConnections()
    server.close()
    assert.match(String(keys[0]), /^[\da-f-]{36}$/)
    assert.deepEqual(keys.slice(1), [undefined, undefined])
  })

  it('ends with the codes of other commands', async () => {
    for (const [args, code] of [
      [['GET', '/grupos/999999'], 1],
      [['POST', '/grupos', '--corpo', '{"nome":""}'], 1],
      [['LER', '/grupos'], 2],
      [['GET', 'grupos'], 2],
      [['GET', '//outro.example/grupos'], 1],
      [['GET', '/grupos', '--consulta', 'size'], 2],
      [['GET', '/grupos', '--corpo', '{}'], 2],
      [['GET'], 2],
    ] as const) {
      const run = await vigia(['api', ...args])
      assert.deepEqual([run.code, run.stdout], [code, ''], `${args.join(' ')}: ${run.stderr}`)
      assert.doesNotMatch(run.stderr, /^ {4}at /m)
    }
    const env = { XDG_CONFIG_HOME: join(folder, 'nada'), VIGIA_TOKEN: 'x', VIGIA_URL: service.origin }
    assert.equal((await vigia(['api', 'GET', '/grupos', '--ca', join(folder, 'ca.pem')], { env })).code, 3)
  })
})
