import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { exec, useLocation } from 'preact-iso/router'
import { PATHS, pathTo } from '../../paths.ts'
import { holds } from '../../state/session.ts'
import { servicoTexts } from '../../state/texts/servico.ts'
import { texts } from '../../state/texts.ts'
import { AuditLink } from '../../ui/audit-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { NewKeyDialog, RenewDialog, RevokeDialog } from './key-dialogs.tsx'
import { type Chave, type Conta, contaQuery, stateOf, TAGS } from './servico-data.ts'
import './styles.ts'

/** One service account: what it may do, and its keys. */
export default function ContaDeServico() {
  const t = texts()
  const own = servicoTexts()
  const { path } = useLocation()
  const id = Number(exec(path, PATHS.contaDeServico)?.params.id)
  const query = useQuery(contaQuery(id))
  const actions = (
    <>
      <AuditLink recurso="usuario" id={String(id)} />
      <a class="button quiet" href={PATHS.contasDeServico}>
        {own.all}
      </a>
    </>
  )
  return (
    <Page title={query.data?.nome ?? t.screens.contaDeServico} actions={actions}>
      <Answer query={query} lines={8}>
        {(conta) => (
          <div class="sections webhook">
            <Rights conta={conta} />
            <Keys conta={conta} />
          </div>
        )}
      </Answer>
    </Page>
  )
}

function Rights({ conta }: { conta: Conta }) {
  const t = texts()
  const own = servicoTexts()
  const rows: [string, string][] = [
    [own.purpose, conta.finalidade ?? ''],
    [own.institution, conta.instituicao ?? ''],
    [own.state, conta.ativo ? own.active : own.inactive],
    [own.groups, conta.grupos.map(({ nome }) => nome).join(', ')],
    [own.permissions, conta.permissoes_efetivas.join(', ') || own.noRights],
    [own.territory, conta.territorios.map(({ nome }) => nome).join(', ') || own.everywhere],
  ]
  return (
    <section class="card servico" aria-label={t.screens.contaDeServico}>
      <dl class="facts">
        {rows
          .filter(([, value]) => value !== '')
          .map(([title, value]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {holds(['usuarios.listar']) && (
        <div class="row">
          <a class="button" href={pathTo(PATHS.usuario, { id: conta.id })}>
            {own.rights}
          </a>
        </div>
      )}
    </section>
  )
}

type Open = { what: 'new' } | { what: 'renew' | 'revoke'; chave: Chave }

function Keys({ conta }: { conta: Conta }) {
  const own = servicoTexts()
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  return (
    <section class="card servico imports" aria-labelledby="chaves">
      <div class="row between">
        <h2 id="chaves">{own.keysTitle}</h2>
        <Button kind="primary" onClick={() => setOpen({ what: 'new' })}>
          {own.newKey}
        </Button>
      </div>
      {conta.chaves.length === 0 ? (
        <Empty text={own.noKeys} />
      ) : (
        <Table
          caption={`${own.keysTitle}: ${conta.nome}`}
          columns={columns(setOpen)}
          rows={conta.chaves}
          keyOf={({ id }) => id}
        />
      )}
      {open?.what === 'new' && <NewKeyDialog conta={conta} onClose={close} />}
      {open?.what === 'renew' && <RenewDialog contaId={conta.id} chave={open.chave} onClose={close} />}
      {open?.what === 'revoke' && <RevokeDialog contaId={conta.id} chave={open.chave} onClose={close} />}
    </section>
  )
}

function columns(onOpen: (open: Open) => void): Column<Chave>[] {
  const own = servicoTexts()
  const now = new Date()
  return [
    {
      key: 'chave',
      title: own.key,
      cell: ({ nome, prefixo, criada_por }) => (
        <>
          {nome}
          <small>
            <code>{prefixo}…</code> {criada_por !== null && own.by(criada_por.nome)}
          </small>
        </>
      ),
    },
    {
      key: 'escopos',
      title: own.scopes,
      cell: ({ escopos, redes }) => (
        <>
          {escopos.join(', ')}
          <small>
            {own.networks}: {redes.join(', ') || own.everyNetwork}
          </small>
        </>
      ),
    },
    {
      key: 'estado',
      title: own.state,
      cell: (chave) => {
        const state = stateOf(chave, now)
        return (
          <>
            <span class={`tag ${TAGS[state]}`}>{own.states[state]}</span>
            <small>
              {own.expires} {own.moment(new Date(chave.expira_em))}
            </small>
          </>
        )
      },
    },
    {
      key: 'uso',
      title: own.lastUse,
      cell: ({ ultimo_uso_em, ultimo_uso_ip }) =>
        ultimo_uso_em === null ? own.never : own.used(new Date(ultimo_uso_em), ultimo_uso_ip),
    },
    {
      key: 'acoes',
      title: own.actions,
      cell: (chave) => <KeyActions chave={chave} state={stateOf(chave, now)} onOpen={onOpen} />,
    },
  ]
}

interface KeyActionsProps {
  chave: Chave
  state: ReturnType<typeof stateOf>
  onOpen(open: Open): void
}

function KeyActions({ chave, state, onOpen }: KeyActionsProps) {
  const own = servicoTexts()
  if (state === 'expired' || state === 'revoked') return null
  return (
    <div class="row">
      {state === 'live' && (
        <Button
          aria-label={`${own.renew}: ${chave.prefixo}`}
          onClick={() => onOpen({ what: 'renew', chave })}
        >
          {own.renew}
        </Button>
      )}
      <Button
        kind="quiet"
        aria-label={`${own.revoke}: ${chave.prefixo}`}
        onClick={() => onOpen({ what: 'revoke', chave })}
      >
        {own.revoke}
      </Button>
    </div>
  )
}
