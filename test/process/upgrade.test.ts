import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readMigrations } from '../../src/db/migrate.ts'
import { dataFolder, type Service } from './service.ts'

/** Backup of a service with the first 19 migrations: 200 demo cases, one that was created and changed, an account, a news item. */
const BACKUP = fileURLToPath(new URL('./fixtures/schema-0019.backup.gz', import.meta.url))
const DATA_KEY = Buffer.alloc(32, 7).toString('base64')
const PASSWORD = 'Senha#Boa1'
const API = '/api/v1'

/** Answers of the service that wrote the backup. */
const RESUMO = {
  total: 201,
  por_classificacao: { confirmado: 134, descartado: 48, inconclusivo: 17, em_investigacao: 2 },
  hospitalizados: 8,
  obitos: 0,
}
const CASO = 201

describe('an upgrade', async () => {
  const folder = await dataFolder({ after })
  const env = { DATA_KEY }

  async function assertKept(service: Service): Promise<string> {
    const token = await service.login('admin@vigia.local', PASSWORD)
    await service.login('ana@saude.example', 'Senha#Boa2')
    const resumo = await service.request(`${API}/agravos/casos/estatisticas/resumo`, { token })
    const { total, por_classificacao, hospitalizados, obitos } = resumo.body
    assert.deepEqual({ total, por_classificacao, hospitalizados, obitos }, RESUMO)
    const { body } = await service.request(`${API}/agravos/casos/${CASO}?identificado=true`, { token })
    assert.equal(body.paciente.nome, 'Maria da Silva')
    assert.equal(body.historico.length, 2)
    const noticias = await service.request(`${API}/noticias`, { token })
    assert.equal(noticias.body.items[0].titulo, 'Antes')
    return token
  }

  it('migrates a filled database of an earlier schema, and keeps what it holds', async (t) => {
    const restored = await folder.run(['restore', BACKUP], env)
    assert.equal(restored.code, 0, restored.stderr)
    const service = await folder.start(env)
    const token = await assertKept(service)
    const { status, text } = await service.request(`${API}/agravos/casos/${CASO}`, {
      method: 'PUT',
      token,
      body: { bairro_residencia: 'Pina' },
    })
    assert.equal(status, 200, text)
    assert.equal((await service.request(`${API}/health/detailed`)).status, 200)
    assert.equal((await service.stop()).code, 0)
    for (const command of ['counters:verify', 'audit:verify']) {
      const { code, stdout, stderr } = await folder.run([command], env)
      assert.equal(code, 0, stderr)
      t.diagnostic(stdout.trim())
    }
    t.diagnostic(`${(await readMigrations()).length - 19} migrations`)
  })
})
