import { useQuery } from '@tanstack/preact-query'
import { useEffect } from 'preact/hooks'
import type { AnswerOf } from '../api/rows.ts'
import { PATHS, pathTo } from '../paths.ts'
import { followChanges, notified } from '../state/aovivo.ts'
import { api, cache } from '../state/session.ts'
import { avisosTexts } from '../state/texts/avisos.ts'
import avisosCss from '../styles/avisos.screen.css'
import { adopt } from './adopt.ts'
import { Icon } from './icon.tsx'
import { OutOfDate } from './out-of-date.tsx'
import { Popover } from './popover.tsx'
import { Answer } from './states.tsx'

adopt(avisosCss)

type Lista = AnswerOf<'GET', '/api/v1/notificacoes'>
type Notificacao = Lista['notificacoes'][number]

const NOTIFICACOES = ['notificacoes']
const MOST_COUNTED = 99

/** Work of the frame beside its screen, loaded when the first numbers stand: changes as they happen, and the notifications. */
export default function Avisos({ usuarioId }: { usuarioId: number }) {
  const t = avisosTexts()
  useEffect(() => followChanges(usuarioId), [usuarioId])
  const query = useQuery({
    queryKey: NOTIFICACOES,
    queryFn: ({ signal }) => api.get('/api/v1/notificacoes', {}, { signal }),
  })
  const news = notified.value
  useEffect(() => {
    if (news > 0) void cache.invalidateQueries({ queryKey: NOTIFICACOES })
  }, [news])
  const unread = query.data?.nao_lidas ?? 0
  return (
    <>
      <Popover
        label={t.title}
        kind="bell"
        onOpen={() => markRead(query.data)}
        panel={(close) => (
          <div class="notifications">
            <h2>{t.title}</h2>
            <Answer query={query} lines={3}>
              {({ notificacoes }) =>
                notificacoes.length === 0 ? (
                  <p class="note">{t.none}</p>
                ) : (
                  <ul>
                    {notificacoes.map((one) => (
                      <Item key={one.id} notificacao={one} onOpen={close} />
                    ))}
                  </ul>
                )
              }
            </Answer>
          </div>
        )}
      >
        <Icon name="bell" />
        <span class="unseen">{t.open(unread)}</span>
        {unread > 0 && (
          <span class="count" aria-hidden="true">
            {unread > MOST_COUNTED ? `${MOST_COUNTED}+` : unread}
          </span>
        )}
      </Popover>
      <OutOfDate />
    </>
  )
}

/** Up to the newest that is shown; one that comes meanwhile stays unread. Those read now stay marked until the next look. */
function markRead(lista: Lista | undefined): void {
  const newest = lista?.notificacoes[0]
  if (lista === undefined || newest === undefined || lista.nao_lidas === 0) return
  api.put('/api/v1/notificacoes/lidas', { body: { ate: newest.id } }).then(
    ({ nao_lidas }) => cache.setQueryData(NOTIFICACOES, { ...lista, nao_lidas }),
    // Counted again with the next look.
    () => undefined,
  )
}

function Item({ notificacao, onOpen }: { notificacao: Notificacao; onOpen(): void }) {
  const t = avisosTexts()
  const { tipo, job, criado_em, lida_em } = notificacao
  const text = tipo === 'job' ? (job?.message ?? t.jobOver) : t.tipos[tipo]
  const link = linkOf(notificacao)
  return (
    <li class={lida_em === null ? 'unread' : undefined}>
      {lida_em === null && <span class="unseen">{t.unread}</span>}
      {link === null ? (
        <b>{text}</b>
      ) : (
        <a href={link} onClick={onOpen} {...(isFile(notificacao) && { download: true })}>
          {text}
        </a>
      )}
      {isFile(notificacao) && <span>{t.file}</span>}
      {job?.arquivo_nome !== undefined && <span>{job.arquivo_nome}</span>}
      <small>{t.moment(new Date(criado_em))}</small>
    </li>
  )
}

const isFile = ({ job }: Notificacao) => job?.arquivo_url !== undefined

/** Where the thing itself is; null: nowhere any more. */
function linkOf({ tipo, job, webhook_id }: Notificacao): string | null {
  if (tipo === 'webhook_desligado')
    return webhook_id === undefined ? null : pathTo(PATHS.webhook, { id: webhook_id })
  if (tipo !== 'job') return PATHS.conta
  if (job === undefined) return null
  if (job.arquivo_url !== undefined) return new URL(job.arquivo_url).pathname
  const made = job.resultado ?? job.result ?? {}
  if (typeof made.boletim_id === 'number') return pathTo(PATHS.boletim, { id: made.boletim_id })
  if (job.trabalho === 'validacao') return `${PATHS.importacaoNova}?job=${job.job_id}`
  const importacao = job.importacao_id ?? made.importacao_id
  return typeof importacao === 'number' ? pathTo(PATHS.importacao, { id: importacao }) : null
}
