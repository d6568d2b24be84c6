import { useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { AnswerOf } from '../api/rows.ts'
import { PATHS, pathTo } from '../paths.ts'
import { alertasPath, placeFilters } from '../state/alertas.ts'
import { followChanges, live, notified } from '../state/aovivo.ts'
import { offline } from '../state/connection.ts'
import type { Filters } from '../state/filter-address.ts'
import { valorWords } from '../state/filter-words.ts'
import { sending } from '../state/sending.ts'
import { api, cache } from '../state/session.ts'
import { avisosTexts } from '../state/texts/avisos.ts'
import { texts } from '../state/texts.ts'
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
    // An answer that is on its way may be older than what was told of.
    if (news > 0)
      void cache
        .cancelQueries({ queryKey: NOTIFICACOES })
        .then(() => cache.invalidateQueries({ queryKey: NOTIFICACOES }))
  }, [news])
  const unread = query.data?.nao_lidas ?? 0
  return (
    <>
      <SendingMark />
      <LiveDot />
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

/** A file that goes on being sent while another screen is open, with the way back to it. */
function SendingMark() {
  const t = avisosTexts()
  const { path } = useLocation()
  const away = sending.value.filter((one) => one.path !== path)
  return (
    <>
      {away.map(({ path, name, sent, total, isFailed }) => (
        <a key={path} class={isFailed ? 'sending failed' : 'sending'} href={path} title={name}>
          <Icon name="importacoes" />
          {isFailed ? t.notSent : t.sending(total === 0 ? 0 : Math.floor((100 * sent) / total))}
          <span class="unseen">{name}</span>
        </a>
      ))}
    </>
  )
}

/** State of the stream of changes: a break is worth a word only when it lasts. */
function LiveDot() {
  const t = avisosTexts()
  const now = useMinutes()
  const state = live.value
  if (offline.value !== null)
    return (
      <span class="live" title={t.lostHint}>
        <span>{t.cut}</span>
      </span>
    )
  if (state === null) return null
  const minutes = Math.floor((now - state.since) / MINUTE_MS)
  if (!state.isOpen && minutes < 1) return null
  return (
    <span class={state.isOpen ? 'live on' : 'live'} title={state.isOpen ? t.liveHint : t.lostHint}>
      <span>{state.isOpen ? t.live : t.lost(minutes)}</span>
    </span>
  )
}

const MINUTE_MS = 60_000

/** The time, anew every half minute. */
function useMinutes(): number {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS / 2)
    return () => clearInterval(timer)
  }, [])
  return now
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
  const { job, criado_em, lida_em } = notificacao
  const link = linkOf(notificacao)
  return (
    <li class={lida_em === null ? 'unread' : undefined}>
      {lida_em === null && <span class="unseen">{t.unread}</span>}
      {link === null ? (
        <b>{textOf(notificacao)}</b>
      ) : (
        <a href={link} onClick={onOpen} {...(isFile(notificacao) && { download: true })}>
          {textOf(notificacao)}
        </a>
      )}
      {isFile(notificacao) && <span>{t.file}</span>}
      {job?.arquivo_nome !== undefined && <span>{job.arquivo_nome}</span>}
      <small>{t.moment(new Date(criado_em))}</small>
    </li>
  )
}

function textOf({ tipo, job, alertas, noticia }: Notificacao): string {
  const t = avisosTexts()
  if (tipo === 'job') return job?.message ?? t.jobOver
  if (noticia !== undefined) return t.noticia(noticia.titulo)
  if (alertas === undefined) return t.tipos[tipo]
  const { tipo_agravo, nivel, lugar, total } = alertas
  const nome = lugar.nivel === 'municipio' ? `${lugar.nome}, ${lugar.estado}` : lugar.nome
  const { nomes } = texts().niveis
  return t.alertas(valorWords(tipo_agravo, texts()), nomes[nivel].toLowerCase(), nome, total)
}

const isFile = ({ job }: Notificacao) => job?.arquivo_url !== undefined

/** Address of the thing itself; null: it is gone. */
function linkOf({ tipo, job, webhook_id, alertas, noticia }: Notificacao): string | null {
  if (tipo === 'noticia') return noticia === undefined ? null : pathTo(PATHS.noticia, { id: noticia.id })
  if (tipo === 'alertas') return alertas === undefined ? null : alertasLink(alertas)
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

/** The only one at its place, several by their disease. */
function alertasLink({ tipo_agravo, lugar, total }: NonNullable<Notificacao['alertas']>): string {
  const agravo = tipo_agravo as Filters['agravo']
  return total === 1 ? alertasPath({ agravo, ...placeFilters(lugar) }) : alertasPath({ agravo })
}
