-- Events, written in the transaction of the change they announce, and the webhooks they are delivered to.

-- New events, before they have a place in the feed. A table of its own with one index: writing an event here and again in
-- the feed costs less than updating it in place under five indexes.
create table eventos_novos (
  -- Rises with each change of one record: the record's lock serialises them.
  numero bigint generated always as identity constraint eventos_novos__pk primary key,
  id text not null,
  tipo text not null,
  chave text not null,
  dados jsonb not null,
  tipos_agravo text[],
  estados text[],
  municipios integer[],
  criado_em timestamptz not null
);

-- The feed.
create table eventos (
  id text not null,
  tipo text not null,
  -- The record it is about: deliveries of one record are in order.
  chave text not null,
  dados jsonb not null,
  -- Compared by filters, of the case as it is and as it was; null for events that are not about a case.
  tipos_agravo text[],
  estados text[],
  municipios integer[],
  criado_em timestamptz not null,
  ordem bigint constraint eventos__pk primary key
);
create index eventos__idade on eventos (criado_em);

-- One row: the last place of the feed that was assigned. Its lock holder assigns the next places, to events that are
-- visible already, so that a reader who has seen a place has seen everything before it.
create table eventos_fim (
  unico boolean constraint eventos_fim__pk primary key default true constraint eventos_fim__unico__one check (unico),
  ordem bigint not null
);
insert into eventos_fim (ordem) values (0);

create table webhooks (
  id text constraint webhooks__pk primary key,
  usuario_id integer not null
    constraint webhooks__usuario_id__exists references usuarios on delete cascade,
  url text not null,
  eventos text[] not null,
  tipos_agravo text[] not null default '{}',
  estados text[] not null default '{}',
  municipios integer[] not null default '{}',
  ativo boolean not null,
  -- Why the service itself switched it off.
  desligado_por text constraint webhooks__desligado_por__known check (desligado_por in ('recusado', 'falhas')),
  desligado_em timestamptz,
  -- Begin of the current run of failures.
  falhando_desde timestamptz,
  -- The receiver asked not to be called before.
  aguardar_ate timestamptz,
  -- Encrypted.
  headers bytea not null,
  secret bytea not null,
  secret_anterior bytea,
  secret_anterior_ate timestamptz,
  criado_em timestamptz not null,
  atualizado_em timestamptz not null
);
create index webhooks__usuario on webhooks (usuario_id);

create table entregas (
  id bigint generated always as identity constraint entregas__pk primary key,
  webhook_id text not null constraint entregas__webhook_id__exists references webhooks on delete cascade,
  evento_id text not null,
  tipo text not null,
  chave text not null,
  -- The body as it goes out, the same at each attempt.
  corpo text not null,
  motivo text not null constraint entregas__motivo__known check (motivo in ('evento', 'reenvio', 'repeticao', 'teste')),
  estado text not null default 'pendente'
    constraint entregas__estado__known check (estado in ('pendente', 'entregue', 'falhou')),
  tentativas integer not null default 0,
  -- Of the last attempt. The answer is encrypted: a receiver may echo anything.
  ultima_tentativa timestamptz,
  status_http integer,
  erro text,
  duracao_ms integer,
  resposta bytea,
  -- Answer of a receiver inside a private network: shown to fewer people.
  resposta_interna boolean not null default true,
  criado_em timestamptz not null,
  concluida_em timestamptz
);
create index entregas__registro on entregas (webhook_id, id desc);
create index entregas__pendentes on entregas (webhook_id, chave, id) where estado = 'pendente';
create index entregas__idade on entregas (criado_em);
-- Counted by every scrape of the metrics.
create index entregas__desistidas on entregas (concluida_em) where estado = 'falhou';

-- One queue for each record and webhook: its first delivery blocks the later ones, and nothing else. A row exists exactly
-- as long as its queue is not empty.
create table webhook_filas (
  webhook_id text not null constraint webhook_filas__webhook_id__exists references webhooks on delete cascade,
  chave text not null,
  proxima_tentativa timestamptz not null,
  -- Lease of an instance.
  reservada_por uuid,
  reservada_ate timestamptz,
  constraint webhook_filas__pk primary key (webhook_id, chave)
);
create index webhook_filas__vencidas on webhook_filas (webhook_id, proxima_tentativa);
create index webhook_filas__reservadas on webhook_filas (webhook_id) where reservada_ate is not null;
