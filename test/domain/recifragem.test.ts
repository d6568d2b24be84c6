import assert from 'node:assert/strict'
import { createCipheriv, randomBytes } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { createCipher, type DataKeys } from '../../src/domain/cipher.ts'
import { findRoot, rememberRoot } from '../../src/domain/keys/data-keys.ts'
import { CIFRADOS } from '../../src/domain/recifragem/cifrados.ts'
import { reencrypt, situationOfKeys } from '../../src/domain/recifragem/recifragem.ts'
import { totpOf } from '../../src/domain/sessoes/second-factor.ts'
import { ADMIN_EMAIL, PASSWORD, testApp } from '../harness/app.ts'
import { putPar } from '../harness/duplicidades.ts'
import { MULTIPART, multipart } from '../harness/multipart.ts'

const OLD = randomBytes(32)
const NEW = randomBytes(32)
const BOTH: DataKeys = { current: NEW, others: [OLD], root: OLD }
const ONLY_NEW: DataKeys = { current: NEW, others: [], root: OLD }

/** Columns of bytes that nobody decrypts. */
const OTHERS = [
  'agravo_definicoes.resumo_sha256',
  'identidades.sub_hash',
  'oidc_segundos_fatores.cookie_anterior_hash',
  'oidc_segundos_fatores.navegador_hash',
  'oidc_tentativas.cookie_anterior_hash',
  'oidc_tentativas.estado_hash',
  'oidc_tentativas.navegador_hash',
  // Encrypted, and gone after ten minutes.
  'oidc_segundos_fatores.decisao_cifrada',
  'oidc_tentativas.segredos_cifrados',
  'auditoria.hash',
  'auditoria_fim.ultimo_hash',
  'bloqueios_de_login.conta',
  'casos.cep_chave',
  'casos.importacao_hash',
  'chaves_de_api.hash',
  'chaves_de_dados.raiz_cifrada',
  'codigos_backup.hash',
  'falhas_de_login.conta',
  'fotos_de_perfil.grande',
  'fotos_de_perfil.pequena',
  'idempotencia.chave',
  'idempotencia.pedido',
  'importacoes.arquivo_sha256',
  'origens_conhecidas.conta',
  'refresh_tokens.hash',
  'series_blocos.semanas',
  'sessoes.cookie_anterior_hash',
  'sessoes.cookie_hash',
  'tokens_de_email.hash',
]

describe('A value', () => {
  it('opens with the key that it names, and one of before key ids with the one that fits', () => {
    const under = createCipher(OLD).encrypt(Buffer.from('Maria'), 'a')
    assert.equal(createCipher(BOTH).decrypt(under, 'a').toString(), 'Maria')
    const nonce = randomBytes(12)
    const older = createCipheriv('aes-256-gcm', OLD, nonce).setAAD(Buffer.from('a'))
    const sealed = older.update('Maria')
    older.final()
    const bare = Buffer.concat([nonce, older.getAuthTag(), sealed])
    assert.equal(createCipher(BOTH).decrypt(bare, 'a').toString(), 'Maria')
    assert.equal(createCipher(OLD).decrypt(bare, 'a').toString(), 'Maria')
  })

  it('opens with no other key, in no other place, nor cut or changed', () => {
    const sealed = createCipher(OLD).encrypt(Buffer.from('Maria'), 'a')
    const changed = Buffer.from(sealed)
    changed[sealed.length - 1] = (changed[sealed.length - 1] as number) ^ 1
    for (const [cipher, value, context] of [
      [createCipher(NEW), sealed, 'a'],
      [createCipher(BOTH), sealed, 'b'],
      [createCipher(BOTH), changed, 'a'],
      [createCipher(BOTH), sealed.subarray(0, -1), 'a'],
      [createCipher(BOTH), Buffer.alloc(3), 'a'],
    ] as const)
      assert.throws(() => cipher.decrypt(value, context), /none of the keys/)
  })
})

describe('Re-encryption', async () => {
  const t = await testApp({ dataKey: OLD })
  const { pool } = t.database
  after(() => t.close())

  it('knows every column of bytes of the schema', async () => {
    const columns = await pool.rows<{ name: string }>(sql`
      select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and data_type = 'bytea'`)
    assert.deepEqual(
      columns.map(({ name }) => name).sort(),
      [...OTHERS, ...CIFRADOS.map(({ table, column }) => `${table}.${column}`)].sort(),
    )
  })

  it('brings a value of every column under the new key, which alone reads them all afterwards', async () => {
    const admin = await t.administrador()
    const as = t.as(admin)
    const caso = async (
      numero_notificacao: string,
      more: object = {},
      headers: Record<string, string> = {},
    ) => {
      const answer = await as.post(
        '/agravos/casos',
        {
          ...{ tipo_agravo: 'dengue', numero_notificacao, data_notificacao: '2024-01-10' },
          ...{ paciente_nome: 'Maria da Silva', municipio_residencia: 'Recife', estado_residencia: 'PE' },
          ...more,
        },
        { headers },
      )
      assert.equal(answer.status, 201, answer.text)
      return answer.body.id as number
    }
    const key = { 'idempotency-key': 'um-pedido' }
    const id = await caso('r1', {}, key)
    const [outro, terceiro] = [await caso('r2', { cep_residencia: '50010-000' }), await caso('r3')]
    assert.equal((await as.put(`/agravos/casos/${id}`, { paciente_nome: 'Maria Souza' })).status, 200)
    const form = multipart(
      { field: 'tipo', content: 'exame' },
      { field: 'descricao', content: 'Exame de Maria' },
      { field: 'arquivo', filename: 'exame.pdf', content: '%PDF-1.7\n%%EOF\n' },
    )
    const anexo = await as.request('POST', `/agravos/casos/${id}/anexos`, {
      headers: MULTIPART,
      payload: form,
    })
    assert.equal(anexo.status, 201, anexo.text)
    const rascunho = '0b9f1c86-0000-4000-8000-000000000001'
    await as.put(`/rascunhos/${rascunho}`, { conteudo: { paciente_nome: 'Maria' } })
    const par = await putPar(pool, [id, terceiro], t.clock.now())
    const motivo = { decisao: 'outra_pessoa', motivo: 'Outra mãe' }
    const decided = await as.post(`/agravos/duplicidades/${par}/decidir`, motivo)
    const fusao = await as.post(`/agravos/casos/${id}/fundir`, { caso_id: outro })
    assert.equal(fusao.status, 200, fusao.text)
    const webhook = await as.post('/webhooks', {
      ...{ url: 'https://lab.example/', eventos: ['agravo.criado'], headers: { 'X-A': 'segredo' } },
    })
    await as.post(`/webhooks/${webhook.body.id}/segredo`)
    const bicho = await as.post('/epizootias', {
      ...{ numero: 'r1', data_ocorrencia: '2024-01-10', municipio: 'Recife', especie_grupo: 'pnh' },
      ...{ suspeita: 'febre_amarela', observacao: 'No quintal de Maria' },
    })
    await as.put(`/epizootias/${bicho.body.id}`, { observacao: 'No quintal de Rosa' })
    const mfa = await as.post('/auth/mfa/enable')
    const [backupCode] = mfa.body.backup_codes
    await as.post('/auth/mfa/verify', {
      code: totpOf(mfa.body.secret).generate({ timestamp: t.clock.now().getTime() }),
    })
    await pool.run(sql`
      insert into entregas (webhook_id, evento_id, tipo, chave, corpo, motivo, criado_em, resposta)
      values (${webhook.body.id}, 'evt_x', 'agravo.criado', 'x', '{}', 'teste', now(),
              ${t.app.cipher.encrypt(Buffer.from('ok'), `webhooks.resposta:${webhook.body.id}`)})`)
    assert.equal(decided.status, 200, decided.text)

    const before = await situationOfKeys({ db: pool, cipher: createCipher(BOTH) })
    assert.deepEqual(
      before.filter(({ older, total }) => older === 0 || older !== total),
      [],
      'every column has a value, under the old key',
    )
    await pool.run(sql`delete from duplicidades_pendentes`)
    const both = await testApp({ database: t.database, dataKey: BOTH as never })
    assert.equal((await both.as(admin).get(`/agravos/casos/${id}?identificado=true`)).status, 200)
    const total = before.reduce((sum, one) => sum + one.total, 0)
    await rememberRoot(pool, BOTH, new Date())
    assert.equal(await reencrypt({ db: pool, cipher: createCipher(BOTH) }), total)
    assert.equal(await reencrypt({ db: pool, cipher: createCipher(BOTH) }), 0, 'nothing is done twice')
    const left = await situationOfKeys({ db: pool, cipher: createCipher(ONLY_NEW) })
    assert.ok(left.every(({ older }) => older === 0))
    assert.equal(await pool.value(sql`select count(*) from duplicidades_pendentes`), 0)

    const later = await testApp({ database: t.database, dataKey: ONLY_NEW as never })
    const reader = later.as(admin)
    const read = async (path: string) => {
      const { status, body, text } = await reader.get(path)
      assert.equal(status, 200, text)
      return body ?? text
    }
    const shown = await read(`/agravos/casos/${id}?identificado=true&include=historico,anexos`)
    assert.match(JSON.stringify(shown), /Maria Souza/)
    assert.match(
      JSON.stringify(await read(`/agravos/casos/${id}/historico?identificado=true`)),
      /Maria da Silva/,
    )
    assert.match(
      JSON.stringify(await read(`/agravos/casos/${id}/anexos?identificado=true`)),
      /Exame de Maria/,
    )
    assert.match((await reader.get(`/agravos/casos/${id}/anexos/${anexo.body.id}`)).text, /^%PDF/)
    assert.equal((await read(`/rascunhos/${rascunho}`)).conteudo.paciente_nome, 'Maria')
    assert.equal((await read(`/epizootias/${bicho.body.id}`)).observacao, 'No quintal de Rosa')
    assert.match(JSON.stringify(await read(`/epizootias/${bicho.body.id}/historico`)), /quintal de Maria/)
    assert.ok('X-A' in (await read(`/webhooks/${webhook.body.id}`)).headers)
    const undone = await reader.post(`/agravos/fusoes/${fusao.body.fusao_id}/desfazer`)
    assert.equal(undone.status, 200, undone.text)
    assert.equal((await reader.get('/usuarios/me')).status, 200, 'tokens of before stay valid')
    // One-way hashes are under the root, which stays.
    assert.equal((await later.app.auditoria.verify(pool)).ok, true)
    const login = await later.anonymous.post('/auth/login', {
      ...{ email: ADMIN_EMAIL, senha: PASSWORD, mfa_code: backupCode },
    })
    assert.equal(login.status, 200, login.text)
    const repeated = await reader.post(
      '/agravos/casos',
      {
        ...{ tipo_agravo: 'dengue', numero_notificacao: 'r1', data_notificacao: '2024-01-10' },
        ...{ paciente_nome: 'Maria da Silva', municipio_residencia: 'Recife', estado_residencia: 'PE' },
      },
      { headers: key },
    )
    assert.deepEqual([repeated.status, repeated.body?.id], [201, id], repeated.text)
    await both.server.close()
    await later.server.close()
  })

  it('finds the root under every key that was in force, and none under another', async () => {
    assert.deepEqual(Buffer.from(await findRoot(pool, { ...ONLY_NEW, root: NEW })), OLD)
    const stranger = randomBytes(32)
    await assert.rejects(
      findRoot(pool, { current: stranger, others: [], root: stranger }),
      /None of DATA_KEY/,
    )
  })

  it('leaves a value alone that was changed while it was read', async () => {
    const { id } = await pool.one<{ id: number }>(sql`select id from casos where sigilo is not null limit 1`)
    const older = createCipher(OLD).encrypt(Buffer.from('{}'), await contextOf(id))
    await pool.run(sql`update casos set sigilo = ${older} where id = ${id}`)
    const newer = createCipher(NEW).encrypt(Buffer.from('{"changed":1}'), await contextOf(id))
    const racing = {
      ...pool,
      rows: async (...args: Parameters<typeof pool.rows>) => {
        const rows = await pool.rows(...args)
        if (rows.length > 0) await pool.run(sql`update casos set sigilo = ${newer} where id = ${id}`)
        return rows
      },
      transaction: pool.transaction.bind(pool),
    }
    assert.equal(await reencrypt({ db: racing as never, cipher: createCipher(BOTH) }), 0)
    const row = await pool.one<{ sigilo: Buffer }>(sql`select sigilo from casos where id = ${id}`)
    assert.deepEqual(row.sigilo, newer)
  })

  async function contextOf(id: number): Promise<string> {
    const row = await pool.one<Record<string, string>>(sql`
      select tipo_agravo, numero_notificacao, data_notificacao from casos where id = ${id}`)
    return JSON.stringify(['casos', row.tipo_agravo, row.numero_notificacao, row.data_notificacao])
  }
})
